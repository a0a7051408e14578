/* The count says more arguments than there are. */
// not seen by sanitizers: compilers read whatever is there
#include <stdarg.h>

static int sum(int n, ...)
{
    va_list ap;
    int total = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        total += va_arg(ap, int); //~ ERROR bad-argument
    va_end(ap);
    return total;
}

int main(void)
{
    return sum(3, 1, 2) == 0;
}
