/* A long is read where an int was passed. */
// not seen by sanitizers: compilers read whatever is there
#include <stdarg.h>
#include <stdlib.h>

static void *allocate(int how, ...)
{
    va_list ap;
    va_start(ap, how);
    long n = va_arg(ap, long); //~ ERROR bad-argument
    va_end(ap);
    return malloc(n);
}

int main(void)
{
    free(allocate(0, 16));
    return 0;
}
