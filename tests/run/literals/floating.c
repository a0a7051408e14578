#include <float.h>
#include <stdio.h>

int main(void)
{
    printf("%g %g %g %g\n", 1.5, .25, 2., 1e3);
    printf("%g %g %g\n", 1.5e-3, 2E+2, 0x1p4);
    printf("%g %g\n", 0x1.8p1, 0x.8p-1);
    printf("%g %g\n", 1.5f, (double)2.5L);
    printf("%d %d %d\n", (int)sizeof 1.0f, (int)sizeof 1.0, (int)(sizeof 1.0L > 8));
    printf("%d %d\n", FLT_DIG, DBL_DIG);
    printf("%d\n", DBL_MAX > 1e308);
    printf("%d\n", 1.0f / 3.0f != 1.0 / 3.0);
    printf("%f %.0f %.10f\n", 0.5, 2.5, 0.1);
    printf("%e %E\n", 12345.678, 0.00012);
    printf("%g %g %G\n", 1e100, 1e-5, 1e-10);
    printf("[%8.2f] [%-8.2f] [%+.1f] [% f] [%08.3f]\n", 3.14159, 3.14159, 3.14159, 1.0, -3.14159);
    printf("%.3Lf %Lg\n", 1.125L, 1e10L);
    double zero = 0.0;
    printf("%f %f %d\n", 1 / zero, -1 / zero, zero / zero == zero / zero);
    printf("%d %d\n", -0.0 == 0.0, 1 / -0.0 < 0);
    return 0;
}
