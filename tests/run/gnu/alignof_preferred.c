/* __alignof__ asks for the preferred alignment, _Alignof for that inside records; objects have the preferred one. */
#include <stdio.h>

double number;
struct s { char c; double d; long long l; } record;

int main(void)
{
    double *p = &number;
    printf("%d %d\n", (int)__alignof__(double), (int)_Alignof(double));
    printf("%d %d\n", (int)__alignof__(long long), (int)_Alignof(long long));
    printf("%d %d %d\n", (int)__alignof__(double[2]), (int)__alignof__(struct s), (int)_Alignof(struct s));
    printf("%d %d %d\n", (int)__alignof__(number), (int)__alignof__(record.d), (int)__alignof__(*p));
    printf("%d %d %d\n", (int)__alignof__(int), (int)__alignof__(char), (int)__alignof__(short[3]));
    return 0;
}
