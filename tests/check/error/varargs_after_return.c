/* The arguments are gone when the list is used. */
// not seen by sanitizers: arguments in registers are not watched
#include <stdarg.h>

static va_list kept;

static void keep(int n, ...)
{
    va_start(kept, n);
}

static int next(void)
{
    return va_arg(kept, int); //~ ERROR use-after-scope
}

int main(void)
{
    keep(1, 5);
    return next();
}
