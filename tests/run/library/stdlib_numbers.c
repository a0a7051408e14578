#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    printf("%d %d %d %d\n", atoi("42"), atoi("  -17abc"), atoi("abc"), atoi("+5"));
    printf("%ld %lld\n", atol("123456"), atoll("-9000000000"));
    char *end;
    printf("%ld ", strtol("123xyz", &end, 10));
    printf("[%s]\n", end);
    printf("%ld %ld %ld %ld\n", strtol("ff", NULL, 16), strtol("0x1F", NULL, 0), strtol("0755", NULL, 0), strtol("-101", NULL, 2));
    printf("%ld\n", strtol("zz", NULL, 36));
    const char *none = "none";
    long v = strtol(none, &end, 10);
    printf("%ld %d\n", v, end == none);
    printf("%lu %llu\n", strtoul("4000000000", NULL, 10), strtoull("18446744073709551615", NULL, 10));
    printf("%lld\n", strtoll("99999999999999999999", NULL, 10));
    printf("%g %g\n", atof("2.5e2"), strtod("  -0.125rest", &end));
    printf("[%s]\n", end);
    printf("%d %ld %lld\n", abs(-5), labs(-6L), llabs(7LL));
    div_t d = div(17, 5);
    ldiv_t l = ldiv(-17, 5);
    printf("%d %d %ld %ld\n", d.quot, d.rem, l.quot, l.rem);
    return 0;
}
