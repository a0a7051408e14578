#include <stdint.h>
#include <stdio.h>

struct xorshift { uint64_t state; };
static uint64_t xorshift_next(struct xorshift *x)
{
    x->state ^= x->state << 13;
    x->state ^= x->state >> 7;
    x->state ^= x->state << 17;
    return x->state;
}
static uint32_t mt[624];
static int mt_at = 624;
static void mt_seed(uint32_t s)
{
    mt[0] = s;
    for (int i = 1; i < 624; i++)
        mt[i] = 1812433253u * (mt[i - 1] ^ mt[i - 1] >> 30) + i;
}
static uint32_t mt_next(void)
{
    if (mt_at == 624) {
        for (int i = 0; i < 624; i++) {
            uint32_t y = (mt[i] & 0x80000000u) | (mt[(i + 1) % 624] & 0x7fffffffu);
            mt[i] = mt[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
        }
        mt_at = 0;
    }
    uint32_t y = mt[mt_at++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}
static void shuffle(int *v, int n, struct xorshift *x)
{
    while (n > 1) {
        int k = (int)(xorshift_next(x) % n--);
        int t = v[n];
        v[n] = v[k];
        v[k] = t;
    }
}

int main(void)
{
    struct xorshift x = {88172645463325252ULL};
    for (int i = 0; i < 3; i++)
        printf("%llu\n", (unsigned long long)xorshift_next(&x));
    mt_seed(5489);
    uint32_t y = 0;
    for (int i = 0; i < 1000; i++)
        y = mt_next();
    printf("%u\n", y);
    int v[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    shuffle(v, 10, &x);
    for (int i = 0; i < 10; i++)
        printf("%d ", v[i]);
    putchar('\n');
    return 0;
}
