/* The back link of the new element's successor is not set. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *prev; };

int main(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->prev = NULL;
        n->next = l;
        if (l && l->next)
            l->prev = n;
        l = n;
    }
    for (struct node *p = l; p; p = p->next)
        if (p->next)
            assert(p->next->prev == p); //~ ERROR assertion
    while (l) {
        struct node *n = l->next;
        free(l);
        l = n;
    }
    return 0;
}
