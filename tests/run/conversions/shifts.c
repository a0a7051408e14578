#include <stdint.h>
#include <stdio.h>

static uint32_t rotate(uint32_t v, unsigned n) { return v << (n & 31) | v >> (-n & 31); }
static int sign_extend(unsigned v, int bits) { return (int)(v << (32 - bits)) >> (32 - bits); }

int main(void)
{
    printf("%d %d\n", 1 << 10, 0x40000000 >> 30);
    printf("%u %x\n", 1u << 31, ~0u << 28);
    printf("%d %d\n", -1 >> 5, -256 >> 4);
    printf("%x %x\n", rotate(0x80000001, 1), rotate(0x12345678, 8));
    printf("%d %d\n", sign_extend(0xf, 4), sign_extend(0x7, 4));
    unsigned char c = 0x81;
    printf("%x %x\n", c << 1, (unsigned char)(c << 1));
    c <<= 1;
    printf("%x\n", c);
    c = 0x81;
    c >>= 1;
    printf("%x\n", c);
    signed char s = -127;
    s >>= 1;
    printf("%d\n", s);
    printf("%llx\n", 1ULL << 63);
    printf("%llx\n", 0xffULL << 56 >> 4);
    long long n = -1;
    printf("%lld %llx\n", n >> 63, (unsigned long long)n >> 60);
    int amount = 3;
    amount <<= amount;
    printf("%d\n", amount);
    short t = 0x4000;
    t <<= 1;
    printf("%d\n", t);
    printf("%d\n", (int)sizeof((char)1 << 1LL) == (int)sizeof(int));
    return 0;
}
