#include <stdint.h>
#include <stdio.h>

static unsigned reverse(unsigned v)
{
    unsigned r = 0;
    for (int i = 0; i < 32; i++, v >>= 1)
        r = r << 1 | (v & 1);
    return r;
}
static unsigned gray(unsigned n) { return n ^ n >> 1; }
static uint64_t interleave(uint32_t x, uint32_t y)
{
    uint64_t z = 0;
    for (int i = 0; i < 32; i++)
        z |= (uint64_t)(x >> i & 1) << 2 * i | (uint64_t)(y >> i & 1) << (2 * i + 1);
    return z;
}
static int is_power(unsigned v) { return v && !(v & (v - 1)); }
static int parity(unsigned v)
{
    v ^= v >> 16, v ^= v >> 8, v ^= v >> 4;
    return 0x6996 >> (v & 15) & 1;
}

int main(void)
{
    printf("%08x %08x\n", reverse(1), reverse(0x12345678));
    for (unsigned i = 0; i < 8; i++)
        printf("%u ", gray(i));
    putchar('\n');
    printf("%llx\n", (unsigned long long)interleave(0xffff, 0xff00ff));
    printf("%d %d %d\n", is_power(64), is_power(65), is_power(0));
    printf("%d %d\n", parity(7), parity(0xff));
    int flags = 0;
    flags |= 1 << 3;
    flags |= 1 << 5;
    flags &= ~(1 << 3);
    flags ^= 0xf;
    printf("%d %d\n", flags, flags >> 2 & 3);
    int a = 9, b = 14;
    a ^= b, b ^= a, a ^= b;
    printf("%d %d\n", a, b);
    printf("%d %d %d\n", a & 0, a | 0, a ^ a);
    printf("%d\n", (5 && 6) + (0 || 0.5) + !3);
    printf("%x\n", 0xf0u & ~0x30u);
    printf("%d\n", ((a > b) - (a < b)) * 3);
    return 0;
}
