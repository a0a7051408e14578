// model: lp64
#include <stdint.h>
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void print(u128 v)
{
    char digits[40];
    int n = 0;
    do
        digits[n++] = (char)('0' + (int)(v % 10));
    while (v /= 10);
    while (n > 0)
        putchar(digits[--n]);
    putchar('\n');
}

static uint64_t mulmod(uint64_t a, uint64_t b, uint64_t m) { return (u128)a * b % m; }

int main(void)
{
    u128 f = 1;
    for (int i = 2; i <= 33; i++)
        f *= i;
    print(f);
    i128 n = -(i128)f;
    printf("%d %d\n", n < 0, (int)(n % 1000007));
    print((u128)1 << 127);
    print(~(u128)0);
    printf("%llu\n", (unsigned long long)mulmod(0xfffffffffffffff1u, 0xabcdef0123456789u, 1000000007));
    printf("%016llx%016llx\n", (unsigned long long)(f >> 64), (unsigned long long)f);
    i128 s = (i128)-7 >> 1;
    printf("%lld %lld\n", (long long)s, (long long)((i128)-7 / 2));
    printf("%d %d\n", (int)sizeof n, (int)_Alignof(i128));
    double d = (double)((u128)1 << 100);
    printf("%g %d\n", d, (u128)d == (u128)1 << 100);
    struct { char c; u128 v; } box = {1, f};
    print(box.v);
    printf("%d\n", (u128)-1 > f);
    printf("%llu\n", (unsigned long long)(((u128)5 << 64 | 9) / 3));
    return 0;
}
