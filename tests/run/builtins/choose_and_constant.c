#include <stdio.h>

#define is_int(x) __builtin_types_compatible_p(__typeof__(x), int)
#define describe(x) __builtin_choose_expr(is_int(x), "an int", \
    __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(x), double), 2.5, 'o'))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

struct a { int x; };
struct b { int x; };

static int sign(int x)
{
    if (likely(x > 0))
        return 1;
    if (unlikely(x == 0))
        return 0;
    return -1;
}

static int must(int x)
{
    switch (x & 3) {
    case 0: return 10;
    case 1: return 11;
    case 2: return 12;
    case 3: return 13;
    }
    __builtin_unreachable();
}

int main(void)
{
    int i = 0;
    printf("%s\n", describe(i));
    printf("%g\n", describe(1.0));
    printf("%c\n", describe("text"));
    printf("%d %d %d\n", is_int(i), is_int(1L), is_int((const int)1));
    printf("%d %d\n", __builtin_types_compatible_p(struct a, struct b), __builtin_types_compatible_p(int[], int[5]));
    printf("%d %d\n", __builtin_types_compatible_p(char *, const char *), __builtin_types_compatible_p(const int, volatile int));
    printf("%d %d\n", __builtin_constant_p(3 * 4), __builtin_constant_p("literal"));
    int only = __builtin_choose_expr(1, 5, i / 0);
    printf("%d\n", only);
    printf("%d %d %d\n", sign(5), sign(0), sign(-5));
    printf("%d %d\n", must(6), must(7));
    printf("%ld\n", __builtin_expect(42, 1));
    printf("%d\n", __builtin_choose_expr(sizeof(int) == 4, i++, i--));
    printf("%d\n", i);
    int array[__builtin_constant_p(1) ? 3 : 4];
    printf("%d\n", (int)(sizeof array / sizeof *array));
    __builtin_prefetch(array);
    int *aligned = __builtin_assume_aligned(array, 4);
    aligned[0] = 6;
    printf("%d\n", array[0]);
    return 0;
}
