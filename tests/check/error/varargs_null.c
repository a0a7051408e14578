/* One of the pointers passed is null, but it does not end the arguments. */
#include <stdarg.h>
#include <stddef.h>

struct box { int *content; };

static int sum(int n, ...)
{
    va_list ap;
    int total = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        total += *va_arg(ap, int *); //~ ERROR null-deref
    va_end(ap);
    return total;
}

int main(void)
{
    int a = 1, b = 2;
    struct box empty = { NULL };
    return sum(3, &a, &b, empty.content);
}
