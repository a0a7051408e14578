//~ SAFE
/* The elements of a list own blocks of different sizes, or none. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item { struct item *next; char *data; };

int main(void)
{
    struct item *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *x = malloc(sizeof *x);
        x->data = NULL;
        if (__VERIFIER_nondet_int())
            x->data = __VERIFIER_nondet_int() ? malloc(100) : malloc(sizeof(long));
        x->next = list;
        list = x;
    }
    for (struct item *p = list; p != NULL; p = p->next)
        if (p->data)
            p->data[7] = 'x';
    while (list) {
        struct item *next = list->next;
        free(list->data);
        free(list);
        list = next;
    }
    return 0;
}
