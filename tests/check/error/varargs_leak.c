/* Of the blocks passed, the last one is not freed. */
#include <stdarg.h>
#include <stdlib.h>

static void free_some(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    while (n-- > 1)
        free(va_arg(ap, void *));
    va_end(ap);
} //~ ERROR leak

int main(void)
{
    free_some(2, malloc(8), malloc(16));
    return 0;
}
