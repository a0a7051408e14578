//~ SAFE
/* Walks to the end, then destroys from the end with the prev links. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next, *prev; };

int main(void)
{
    struct node *first = malloc(sizeof *first), *last = first;
    first->v = 0;
    first->next = first->prev = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = 1;
        n->next = NULL;
        n->prev = last;
        last->next = n;
        last = n;
    }
    struct node *p = first;
    while (p->next)
        p = p->next;
    assert(p == last);
    while (p) {
        struct node *before = p->prev;
        free(p);
        p = before;
    }
    return 0;
}
