//~ SAFE
/* A cursor moves in either direction and never falls off. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *prev, *next; };

int main(void)
{
    struct node *first = calloc(1, sizeof *first), *last = first;
    while (__VERIFIER_nondet_int()) {
        struct node *n = calloc(1, sizeof *n);
        n->prev = last;
        last->next = n;
        last = n;
    }
    struct node *cursor = first;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (cursor->next)
                cursor = cursor->next;
        } else if (cursor->prev)
            cursor = cursor->prev;
        cursor->v = 1;
    }
    while (first) {
        struct node *n = first->next;
        free(first);
        first = n;
    }
    return 0;
}
