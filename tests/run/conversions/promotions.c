#include <stdio.h>

/* Integer promotions and the usual arithmetic conversions. */
int main(void)
{
    unsigned char uc = 255;
    signed char sc = -1;
    unsigned short us = 65535;
    short s = -1;
    printf("%d %d\n", uc + 1, us + 1);
    printf("%d %d\n", -uc, ~us);
    printf("%d %d\n", uc == 255, sc == (unsigned char)255);
    printf("%d\n", (int)((unsigned)us * us >> 17));
    printf("%d\n", s < us);
    printf("%d\n", s < 1u);
    printf("%d\n", sc > uc);
    printf("%d\n", (unsigned)sc > uc);
    printf("%u\n", sc + 0u);
    printf("%lld\n", sc + 0LL);
    printf("%llu\n", (unsigned long long)sc);
    printf("%d\n", -1L < 1u == sizeof(long) > sizeof(int));
    printf("%d\n", (char)(uc + 1));
    printf("%d\n", uc << 8 >> 4);
    printf("%d\n", (unsigned char)(uc << 4) >> 4);
    printf("%d\n", 'z' - 'a' + (char)1);
    printf("%g\n", 7 / 2 * 2.0);
    printf("%g\n", 7 / 2. * 2);
    printf("%d\n", (int)sizeof(uc + uc) == (int)sizeof(int));
    printf("%d\n", (int)sizeof(uc ? uc : sc) == (int)sizeof(int));
    unsigned u = 3;
    int i = -4;
    printf("%d\n", u + i > 0);
    printf("%d\n", (int)(u + i));
    printf("%u\n", i / u);
    printf("%d\n", i / (int)u);
    printf("%d\n", i % 3);
    return 0;
}
