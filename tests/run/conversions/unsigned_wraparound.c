#include <limits.h>
#include <stddef.h>
#include <stdio.h>

static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }
static unsigned hash(const char *s)
{
    unsigned h = 2166136261u;
    while (*s)
        h = (h ^ (unsigned char)*s++) * 16777619u;
    return h;
}

int main(void)
{
    unsigned u = 0;
    printf("%u %u\n", u - 1, -5u);
    u--;
    printf("%d\n", u == UINT_MAX);
    u += 2;
    printf("%u\n", u);
    printf("%u\n", 0x80000000u * 2u + 1u);
    printf("%u %u\n", hash("abc"), hash(""));
    unsigned long long w = 1;
    for (int i = 0; i < 70; i++)
        w = w * 3 + 1;
    printf("%llu\n", w);
    printf("%u\n", gcd(1071, 462));
    int n = 0;
    for (unsigned i = 5; i + 1 > 0; i--)
        n++;
    printf("%d\n", n);
    size_t z = 0;
    z--;
    printf("%d\n", z == (size_t)-1 && z > 1000000);
    unsigned short s = 0;
    s--;
    printf("%d\n", s);
    printf("%u\n", UINT_MAX / 2 + UINT_MAX % 10);
    printf("%u %u\n", (unsigned)-7 / 2, (unsigned)-7 % 4);
    printf("%d\n", (int)(0u - 7u) / 2);
    return 0;
}
