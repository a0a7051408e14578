/* A ring freed round to its start: the start is freed again. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void)
{
    struct node *ring = malloc(sizeof *ring);
    ring->next = ring;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = ring->next;
        ring->next = n;
    }
    struct node *p = ring->next, *first = p;
    while (p != ring) {
        struct node *next = p->next;
        free(p);
        p = next;
    }
    free(ring);
    free(first); //~ ERROR double-free
    return 0;
}
