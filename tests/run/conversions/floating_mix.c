#include <stdio.h>

static float average(const int *v, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += v[i];
    return s / n;
}
static double polynomial(double x) { return ((2 * x - 3) * x + 0.5) * x - 1; }
static long double widen(float f) { return f; }

int main(void)
{
    int v[] = {1, 2, 3, 4, 5, 6, 7};
    printf("%g\n", average(v, 7));
    printf("%g %g\n", polynomial(2), polynomial(-0.5));
    printf("%Lg\n", widen(0.375f) * 2);
    int i = 7;
    i *= 1.5;
    printf("%d\n", i);
    i /= 0.25f;
    printf("%d\n", i);
    i -= 0.5;
    printf("%d\n", i);
    char c = 'a';
    c += 1.9;
    printf("%c\n", c);
    unsigned char u = 100;
    u *= 2.5;
    printf("%d\n", u);
    double d = 10;
    d += 1 / 2;
    d += 1 / 2.0;
    printf("%g\n", d);
    d++;
    --d;
    d -= -d;
    printf("%g %d\n", d, (int)d % 4);
    printf("%d %d %d\n", 0.5 < 1, 1.0 == 1, !0.0);
    printf("%d\n", 0.1f == 0.1);
    printf("%g\n", -d);
    float f = 3;
    f /= 2;
    printf("%.2f %d\n", f, f ? 1 : 0);
    printf("%g\n", (double)(long)2.75 + (1 ? 1 : 2.5));
    double nan = 0.0 / 0.0 * 0;
    printf("%d %d %d\n", nan == nan, nan < 1, nan != nan);
    if (d && f)
        printf("both\n");
    return (int)f;
}
