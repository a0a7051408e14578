/* The same block is twice among the arguments. */
#include <stdarg.h>
#include <stdlib.h>

static void free_all(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    while (n-- > 0)
        free(va_arg(ap, void *)); //~ ERROR double-free
    va_end(ap);
}

int main(void)
{
    char *a = malloc(4), *b = malloc(4);
    free_all(3, (void *)a, (void *)b, (void *)a);
    return 0;
}
