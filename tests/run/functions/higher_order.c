#include <stdio.h>

typedef int (*mapper)(int, void *);
typedef int reducer(int, int);

static void map(int *v, int n, mapper f, void *context)
{
    for (int i = 0; i < n; i++)
        v[i] = f(v[i], context);
}
static int fold(const int *v, int n, int start, reducer *r)
{
    for (; n > 0; n--, v++)
        start = r(start, *v);
    return start;
}
static int filter(int *v, int n, int (*keep)(int))
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (keep(v[i]))
            v[k++] = v[i];
    return k;
}
static int scale(int x, void *c) { return x * *(int *)c; }
struct line { int a, b; };
static int affine(int x, void *c) { struct line *l = c; return l->a * x + l->b; }
static int plus(int a, int b) { return a + b; }
static int larger(int a, int b) { return a > b ? a : b; }
static int odd(int x) { return x & 1; }
static reducer *choose(int w) { static reducer *const all[] = {plus, larger}; return all[w]; }
static int (*compose_pick(int (*f)(int), int (*g)(int), int w))(int) { return w ? f : g; }
static int inc(int x) { return x + 1; }

int main(void)
{
    int v[6] = {1, 2, 3, 4, 5, 6}, k = 3;
    map(v, 6, scale, &k);
    map(v, 6, affine, &(struct line){2, -1});
    printf("%d %d\n", fold(v, 6, 0, choose(0)), fold(v, 6, -100, choose(1)));
    int n = filter(v, 6, odd);
    printf("%d\n", n);
    map(v, n, affine, &(struct line){.b = 7});
    printf("%d %d\n", v[0], v[5]);
    printf("%d %d\n", compose_pick(odd, inc, 1)(4), compose_pick(odd, inc, 0)(4));
    printf("%d\n", (*****inc)(9));
    printf("%d\n", choose(0) == plus && choose(1) != plus);
    reducer *null = 0;
    printf("%d\n", null ? 1 : 0);
    return 0;
}
