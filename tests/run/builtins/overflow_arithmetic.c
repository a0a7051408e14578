#include <limits.h>
#include <stdio.h>

static int safe_factorial(int n, int *out)
{
    int r = 1;
    for (int i = 2; i <= n; i++)
        if (__builtin_mul_overflow(r, i, &r))
            return 0;
    *out = r;
    return 1;
}

int main(void)
{
    int r;
    for (int n = 10; n < 15; n++) {
        int f = -1;
        int ok = safe_factorial(n, &f);
        printf("%d %d %d\n", n, ok, f);
    }
    int o = __builtin_add_overflow(INT_MAX, 1, &r);
    printf("%d %d\n", o, r);
    o = __builtin_sub_overflow(INT_MIN, 1, &r);
    printf("%d %d\n", o, r);
    o = __builtin_add_overflow(1, 2, &r);
    printf("%d %d\n", o, r);
    unsigned u;
    o = __builtin_sub_overflow(3u, 5u, &u);
    printf("%d %u\n", o, u);
    unsigned char c;
    o = __builtin_add_overflow(200, 100, &c);      /* computed exactly, then stored */
    printf("%d %d\n", o, c);
    o = __builtin_add_overflow(-1, 300u, &c);
    printf("%d %d\n", o, c);
    long long ll;
    o = __builtin_mul_overflow(4000000000u, 4000000000u, &ll);
    printf("%d %lld\n", o, ll);
    o = __builtin_smul_overflow(65536, 65536, &r);
    printf("%d %d\n", o, r);
    o = __builtin_uadd_overflow(UINT_MAX, 2, &u);
    printf("%d %u\n", o, u);
    printf("%d %d\n", __builtin_add_overflow_p(INT_MAX, 1, 0), __builtin_add_overflow_p(1, 1, (char)0));
    return 0;
}
