//~ SAFE
/* Pointers to numbers as variable arguments, ended by a null pointer. */
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>

static int sum(const int *first, ...)
{
    va_list ap;
    int total = 0;
    va_start(ap, first);
    for (const int *p = first; p != NULL; p = va_arg(ap, const int *))
        total += *p;
    va_end(ap);
    return total;
}

int main(void)
{
    int a = 1, b = 2, c = 3;
    assert(sum(&a, &b, &c, (int *)NULL) == 6);
    assert(sum((int *)NULL) == 0);
    return 0;
}
