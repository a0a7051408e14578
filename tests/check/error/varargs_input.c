/* One number among the arguments, and only that one, makes a function return null. */
// not seen by sanitizers: no seed draws this number
#include <stdarg.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int *last(int n, ...)
{
    va_list ap;
    int v = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        v = va_arg(ap, int);
    va_end(ap);
    int *p = malloc(sizeof *p);
    *p = v;
    if (v == 2147483647) {
        free(p);
        p = NULL;
    }
    return p;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int *p = last(3, 1, 2, x);
    *p = 1; //~ ERROR null-deref
    free(p);
    return 0;
}
