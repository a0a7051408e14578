#include <stdio.h>

struct fields {
    unsigned a : 3;
    signed int b : 4;
    unsigned c : 9;
    int d : 1;
    unsigned e : 15;
};

static void show(const struct fields *f)
{
    printf("%u %d %u %d %u\n", f->a, f->b, f->c, f->d, f->e);
}

int main(void)
{
    struct fields f = {7, -8, 511, -1, 32767};
    show(&f);
    f.a++;              /* wraps to zero */
    f.b--;              /* wraps to the largest value */
    f.c += 2;
    f.d = 0;
    f.e ^= 0x5555;
    show(&f);
    for (int i = 0; i < 20; i += 3) {
        f.a = i;
        f.b = i;
        printf("%d:%u,%d ", i, f.a, f.b);
    }
    putchar('\n');
    /* a narrow unsigned field promotes to int, so this difference is negative */
    f.a = 1;
    printf("%d\n", f.a - 2 < 0);
    printf("%d\n", (f.c = 600));
    printf("%d\n", (int)sizeof f);
    f.b = 3;
    f.b <<= 1;
    printf("%d %d\n", f.b, -f.b);
    return 0;
}
