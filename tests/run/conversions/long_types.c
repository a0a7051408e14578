#include <limits.h>
#include <stdint.h>
#include <stdio.h>

/* Types whose size depends on the model, printed through fixed-size ones. */
int main(void)
{
    printf("%d %d %d\n", (int)sizeof(long), (int)sizeof(void *), (int)sizeof(size_t));
    printf("%d %d\n", (int)sizeof(long long), (int)sizeof(long double));
    printf("%d\n", LONG_MAX == (sizeof(long) == 8 ? 9223372036854775807LL : 2147483647LL));
    long l = LONG_MIN;
    unsigned long ul = (unsigned long)l;
    printf("%ld %lu\n", l, ul);
    printf("%d\n", (long long)l == l && ul + ul == 0);
    printf("%llu\n", (unsigned long long)ul);
    printf("%llu\n", (unsigned long long)l);
    int64_t i64 = INT64_MIN;
    printf("%lld\n", (long long)i64 + 1);
    intptr_t ip = -1;
    uintmax_t um = (uintmax_t)ip;
    printf("%d\n", um == UINTMAX_MAX);
    printf("%lld\n", (long long)(int)4294967295u);
    printf("%lld\n", (long long)(unsigned)-1);
    unsigned long mixed = -1;
    printf("%d\n", mixed == ULONG_MAX);
    printf("%d\n", 1L << (sizeof(long) * 8 - 2) > 0);
    printf("%lld\n", (long long)(1UL << 31));
    long product = 100000L * 20000;
    printf("%ld %ld\n", product, -product / 7);
    printf("%lld\n", 3000000000LL * 3);
    printf("%lld %lld\n", -7LL / 2, -7LL % 2);
    return 0;
}
