#include <stdio.h>

int main(void)
{
    double values[] = {0, 1, -1, 0.5, 1234.5678, 1e-7, 123456789, 1e20, -2.5e-3, 100};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        double v = values[i];
        printf("%f|%.2f|%e|%g|%.3g|%10.3f|%-10.1f|%+g\n", v, v, v, v, v, v, v, v);
    }
    printf("%.0f %.0f %.0f %.0f\n", 0.5, 1.5, 2.5, 3.5);
    printf("%#.0f %#g\n", 3.0, 1.5);
    printf("%.15g %.17g\n", 0.1, 0.1);
    printf("%5.1f|%05.1f|%+.1e\n", 9.96, 9.96, 12345.0);
    printf("%g %g %g %g\n", 100000.0, 1000000.0, 0.0001, 0.00001);
    printf("%.10g %.1g\n", 1.0 / 3, 0.95);
    printf("%Lf %.2Le\n", 3.5L, 1234.5L);
    float f = 0.1f;
    printf("%f %.9g\n", f, f);
    return 0;
}
