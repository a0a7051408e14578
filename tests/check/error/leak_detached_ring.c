/* The external pointer to a ring is set to null: the ring keeps only itself. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void)
{
    struct node *ring = malloc(sizeof *ring);
    ring->next = malloc(sizeof *ring);
    ring->next->next = ring;
    if (__VERIFIER_nondet_int()) {
        struct node *other = ring->next;
        free(ring);
        free(other);
        return 0;
    }
    ring = NULL; //~ ERROR leak
    return 0;
}
