/* A list is used after va_end. */
// not seen by sanitizers: compilers go on with it
#include <stdarg.h>
#include <stdlib.h>

static int *second(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    int *p = va_arg(ap, int *);
    va_end(ap);
    free(p);
    return va_arg(ap, int *); //~ ERROR uninitialised
}

int main(void)
{
    int x = 3;
    return *second(2, malloc(4), &x);
}
