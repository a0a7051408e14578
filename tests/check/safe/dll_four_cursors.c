//~ SAFE
/* Four cursors stand anywhere in a doubly-linked list, in any order; what is before them is written as well. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *prev; int data; };

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->data = 0;
        n->prev = NULL;
        n->next = list;
        if (list)
            list->prev = n;
        list = n;
    }
    struct node *a = list, *b = list, *c = list, *d = list;
    while (a && __VERIFIER_nondet_int())
        a = a->next;
    while (b && __VERIFIER_nondet_int())
        b = b->next;
    while (c && __VERIFIER_nondet_int())
        c = c->next;
    while (d && __VERIFIER_nondet_int())
        d = d->next;
    if (a && a->prev)
        a->prev->data = 1;
    if (b && b->prev)
        b->prev->data = 2;
    if (c && c->next)
        c->next->data = 3;
    if (d)
        d->data = 4;
    while (list) {
        struct node *n = list->next;
        free(list);
        list = n;
    }
    return 0;
}
