//~ SAFE
/* Cuts a doubly linked list in two at an arbitrary place. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *prev; };

static void destroy(struct node *n)
{
    while (n) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        n->prev = NULL;
        if (list)
            list->prev = n;
        list = n;
    }
    struct node *second = NULL;
    if (list) {
        struct node *at = list;
        while (at->next && __VERIFIER_nondet_int())
            at = at->next;
        second = at->next;
        if (second) {
            at->next = NULL;
            second->prev = NULL;
        }
    }
    destroy(list);
    destroy(second);
    return 0;
}
