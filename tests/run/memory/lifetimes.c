#include <stdio.h>

/* Addresses of locals passed down and around, always used within their life. */
struct visitor { int *best; const char **label; struct visitor *outer; };

static void consider(struct visitor *v, int *candidate, const char *label)
{
    for (; v; v = v->outer)
        if (!*v->label || *candidate > *v->best) {
            *v->best = *candidate;
            *v->label = label;
        }
}
static void descend(int depth, struct visitor *outer)
{
    int best = 0;
    const char *label = NULL;
    struct visitor here = {&best, &label, outer};
    int local = depth * 7 % 5 * 10 + depth;
    consider(&here, &local, depth % 2 ? "odd" : "even");
    if (depth > 0)
        descend(depth - 1, &here);
    printf("%d: %d %s\n", depth, best, label);
}
static int *larger(int *a, int *b) { return *a > *b ? a : b; }

int main(void)
{
    descend(4, NULL);
    int *survivor;
    int x = 3, y = 8;
    {
        int inner = 5;
        int *p = larger(&inner, &x);
        *p += 10;
        survivor = larger(&x, &y);
        printf("%d %d\n", inner, x);
    }
    *larger(survivor, &x) = 0;
    printf("%d %d\n", x, y);
    for (int i = 0; i < 2; i++) {
        int round[2] = {i, i + 1}, *q = round + i;
        printf("%d\n", *q);
    }
    return 0;
}
