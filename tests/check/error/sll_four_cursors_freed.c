/* Four cursors stand anywhere in a list. What follows one of them is freed, and another one may stand there. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int data; };

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->data = 0;
        n->next = list;
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
    if (b && d)
        b->data = d->data;
    if (c && c->next) {
        struct node *n = c->next;
        c->next = n->next;
        free(n);
    }
    if (a)
        a->data = 1; //~ ERROR use-after-free
    while (list) {
        struct node *n = list->next;
        free(list);
        list = n;
    }
    return 0;
}
