//~ SAFE
/* A function that frees all the blocks it is given. */
#include <stdarg.h>
#include <stdlib.h>

struct pair { struct pair *other; long v; };

static void free_all(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    while (n-- > 0)
        free(va_arg(ap, void *));
    va_end(ap);
}

int main(void)
{
    struct pair *a = malloc(sizeof *a);
    struct pair *b = malloc(sizeof *b);
    a->other = b;
    b->other = a;
    a->v = b->v = 0;
    free_all(3, (void *)a, (void *)a->other, malloc(10));
    free_all(0);
    return 0;
}
