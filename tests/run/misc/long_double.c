#include <stdio.h>

static long double sum(int n)
{
    long double s = 0;
    for (int i = 1; i <= n; i++)
        s += 1.0L / (1 << i);
    return s;
}
struct wide { char c; long double l; };

int main(void)
{
    printf("%.10Lf\n", sum(10));
    struct wide w = {'w', 2.5L}, copy = w;
    copy.l *= 4;
    printf("%Lg %Lg %c\n", w.l, copy.l, copy.c);
    long double big = 0x1p1000L * 0x1p1000L;
    printf("%d\n", big > 0x1p1023L);
    printf("%d %d\n", (int)(w.l * 3), (int)(w.l > 2.25));
    double d = w.l;
    float f = w.l;
    printf("%g %g\n", d, f);
    long long exact = 0x7fffffffffffffffLL;
    printf("%d\n", (long long)(long double)exact == exact);
    long double array[3] = {1, 2, 3}, *p = array;
    *++p += 0.5L;
    printf("%Lg %Lg\n", array[1], p[1]);
    printf("%Lf %.1Lf\n", -0.75L, 100.0L);
    return 0;
}
