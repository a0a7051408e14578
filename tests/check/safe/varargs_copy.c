//~ SAFE
/* The arguments are looked at twice: once through a copy of the list. */
#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

static int *numbers(int n, ...)
{
    va_list ap, again;
    int sum = 0;
    va_start(ap, n);
    va_copy(again, ap);
    for (int i = 0; i < n; i++)
        sum += va_arg(again, int);
    va_end(again);
    int *result = malloc((n + 1) * sizeof *result);
    result[0] = sum;
    for (int i = 0; i < n; i++)
        result[i + 1] = va_arg(ap, int);
    va_end(ap);
    return result;
}

int main(void)
{
    int *p = numbers(2, 30, 12);
    assert(p[0] == 42);
    assert(p[2] == 12);
    free(p);
    return 0;
}
