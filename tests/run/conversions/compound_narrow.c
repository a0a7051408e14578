#include <stdio.h>

/* Compound assignment computes in the promoted type, then converts back. */
int main(void)
{
    unsigned char u = 250;
    u += 10;
    printf("%d\n", u);
    u = 16;
    u *= 17;
    printf("%d\n", u);
    u = 5;
    u -= 6;
    printf("%d\n", u);
    u = 200;
    u /= -3;
    printf("%d\n", u);
    u = 0xf0;
    u ^= ~0;
    printf("%d\n", u);
    short s = 30000;
    s += 10000;
    printf("%d\n", s);
    s = -1;
    s >>= 4;
    printf("%d\n", s);
    s = 100;
    s %= 7u;
    printf("%d\n", s);
    signed char c = 100;
    int result = c += 100;
    printf("%d %d\n", c, result);
    c = 1;
    c -= 2u;
    printf("%d\n", c);
    int i = -1;
    i /= 2u;
    printf("%d\n", i);
    i = 5;
    i <<= 2LL;
    printf("%d\n", i);
    unsigned short array[3] = {1, 65535, 3};
    unsigned short *p = array;
    *++p += 2;
    printf("%d %d\n", *p, (int)(p - array));
    long long w = 1;
    w <<= 40;
    w |= 5;
    w &= ~1;
    printf("%lld\n", w);
    char old = u++;
    printf("%d %d\n", old, u);
    return 0;
}
