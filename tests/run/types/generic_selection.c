#include <stdio.h>

#define NAME(x) _Generic((x), \
    char: "char", signed char: "schar", unsigned char: "uchar", \
    short: "short", unsigned short: "ushort", int: "int", unsigned: "uint", \
    long: "long", unsigned long: "ulong", long long: "llong", unsigned long long: "ullong", \
    float: "float", double: "double", long double: "ldouble", _Bool: "bool", \
    char *: "char*", const char *: "const char*", void *: "void*", int *: "int*", \
    int (*)(int): "function", struct s: "struct s", default: "other")

struct s { int a; };
static int f(int x) { return x; }
static int magnitude_i(int x) { return x < 0 ? -x : x; }
static double magnitude_d(double x) { return x < 0 ? -x : x; }
#define magnitude(x) _Generic((x), int: magnitude_i, default: magnitude_d)(x)

int main(void)
{
    char c = 0; signed char sc = 0; unsigned char uc = 0; short s = 0; unsigned short us = 0;
    float fl = 0; _Bool b = 0; const int ci = 0; int arr[3]; struct s st = {0};
    volatile long vl = 0;
    printf("%s %s %s %s %s\n", NAME(c), NAME(sc), NAME(uc), NAME(s), NAME(us));
    printf("%s %s %s %s\n", NAME(+c), NAME(c + s), NAME(us << 1), NAME(-b));
    printf("%s %s %s\n", NAME(fl), NAME(fl * 2), NAME(fl * 2.0));
    printf("%s %s %s\n", NAME(1u + 1L), NAME(1LL + 1u), NAME(1.0f + 1LL));
    printf("%s %s %s\n", NAME(ci), NAME(vl), NAME((const int)1));
    printf("%s %s %s\n", NAME(arr), NAME("text"), NAME((const char *)"t"));
    printf("%s %s %s\n", NAME(f), NAME(&f), NAME((void *)0));
    printf("%s %s %s\n", NAME(st), NAME(&st), NAME(1 ? (void *)arr : arr));
    printf("%s %s\n", NAME(c++), NAME(c = 5));
    printf("%s %s %s\n", NAME(1 == 1), NAME(!1.0), NAME(sizeof 1 == 4));
    printf("%s %s\n", NAME(1 ? 1 : 2.0), NAME((c, s)));
    printf("%d %g\n", magnitude(-3), magnitude(-2.5));
    return 0;
}
