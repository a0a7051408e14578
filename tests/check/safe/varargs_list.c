//~ SAFE
/* A list built from variable arguments. */
#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

struct node { int v; struct node *next; };

static struct node *list_of(int n, ...)
{
    va_list ap;
    struct node *first = NULL, **tail = &first;
    va_start(ap, n);
    for (int i = 0; i < n; i++) {
        struct node *x = malloc(sizeof *x);
        x->v = va_arg(ap, int);
        x->next = NULL;
        *tail = x;
        tail = &x->next;
    }
    va_end(ap);
    return first;
}

int main(void)
{
    struct node *l = list_of(3, 10, 20, 30);
    assert(l->v == 10);
    assert(l->next->next->v == 30);
    while (l) {
        struct node *n = l->next;
        free(l);
        l = n;
    }
    return 0;
}
