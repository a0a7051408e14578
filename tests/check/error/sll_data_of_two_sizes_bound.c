/* The smaller of two kinds of blocks that elements own is too small. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item { struct item *next; char *data; };

int main(void)
{
    struct item *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *x = malloc(sizeof *x);
        x->data = __VERIFIER_nondet_int() > 0 ? malloc(100) : malloc(8);
        x->next = list;
        list = x;
    }
    for (struct item *p = list; p != NULL; p = p->next)
        p->data[8] = 'x'; //~ ERROR out-of-bounds
    while (list) {
        struct item *next = list->next;
        free(list->data);
        free(list);
        list = next;
    }
    return 0;
}
