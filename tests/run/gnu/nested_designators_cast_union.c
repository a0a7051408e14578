#include <stdio.h>

/* GNU leftovers: old-style designators, casts to union, lvalue comparisons of function pointers. */
typedef union { int i; double d; const char *s; } any;
struct opts { int verbose; int level; int list[4]; };

static struct opts o = {level: 3, verbose: 1, list: {[1 ... 2] = 7}};

static double number(any a, int is_double) { return is_double ? a.d : a.i; }
static void f(void) {}
static void g(void) {}

int main(void)
{
    printf("%d %d %d%d%d%d\n", o.verbose, o.level, o.list[0], o.list[1], o.list[2], o.list[3]);
    printf("%g %g\n", number((any)4, 0), number((any)2.5, 1));
    any a = (any)(const char *)"text";
    printf("%s\n", a.s);
    void (*p)(void) = f, (*q)(void) = &g;
    printf("%d %d %d\n", p == f, p == q, *p == &f);
    int x = ({ int y = 5; y; }), z = __extension__({ x + 1; });
    printf("%d %d\n", x, z);
    return !(q == g);
}
