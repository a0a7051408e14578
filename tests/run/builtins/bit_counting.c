#include <stdint.h>
#include <stdio.h>

static int log2_floor(unsigned v) { return 31 - __builtin_clz(v); }
static int popcount_by_hand(uint64_t v)
{
    int n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

int main(void)
{
    for (unsigned v = 1; v < 5000; v = v * 7 + 1)
        printf("%u: %d %d %d %d %d\n", v, __builtin_clz(v), __builtin_ctz(v), __builtin_popcount(v), __builtin_ffs(v), __builtin_parity(v));
    printf("%d %d\n", __builtin_ffs(0), __builtin_popcount(0));
    unsigned long long w = 0x00f0000000000100ULL;
    printf("%d %d %d\n", __builtin_clzll(w), __builtin_ctzll(w), __builtin_popcountll(w));
    printf("%d\n", popcount_by_hand(w) == __builtin_popcountll(w));
    printf("%x %llx %x\n", __builtin_bswap32(0x12345678), (unsigned long long)__builtin_bswap64(0x0102030405060708ULL), __builtin_bswap16(0xabcd));
    printf("%d %d %d\n", log2_floor(1), log2_floor(1023), log2_floor(1024));
    printf("%d %d\n", __builtin_clrsb(0), __builtin_clrsb(-256));
    printf("%d %ld %lld\n", __builtin_abs(-5), __builtin_labs(-6L), __builtin_llabs(-7LL));
    return 0;
}
