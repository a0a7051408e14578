//~ SAFE
/* As many elements are taken out as were counted while the list was built. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void)
{
    struct node *list = NULL;
    int count = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            abort();
        n->next = list;
        list = n;
        count++;
    }
    for (int i = 0; i < count; i++) {
        struct node *rest = list->next;
        free(list);
        list = rest;
    }
    return 0;
}
