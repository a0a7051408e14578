#include <stdio.h>

#define KIND(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", \
    unsigned long: "unsigned long", long long: "long long", unsigned long long: "unsigned long long", default: "?")

int main(void)
{
    printf("%d %d %d %d\n", 10, 010, 0x10, 0b101);
    printf("%s %s %s %s\n", KIND(1), KIND(1u), KIND(1L), KIND(1uL));
    printf("%s %s\n", KIND(1LL), KIND(1llu));
    printf("%s %s\n", KIND(2147483647), KIND(0x7fffffff));
    printf("%s %s\n", KIND(2147483648), KIND(0x80000000));
    printf("%s %s\n", KIND(4294967296), KIND(0xffffffffffffffff));
    printf("%s %s\n", KIND(037777777777), KIND(0b11111111111111111111111111111111));
    printf("%s\n", KIND('a'));
    printf("%lld %llu\n", 9223372036854775807LL, 18446744073709551615ULL);
    printf("%d\n", -2147483648 < 0);
    printf("%d\n", -2147483647 - 1 < 0);
    printf("%d\n", 0x80000000 > 0);
    printf("%llx\n", 0xDeadBeefCafeULL);
    printf("%d\n", 1 ? 2 : 3u);
    printf("%d\n", -1 < 0u);
    return 0;
}
