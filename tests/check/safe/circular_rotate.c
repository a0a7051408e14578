//~ SAFE
/* Rotates a ring for a while, then breaks it open and frees it as a list. */
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
    while (__VERIFIER_nondet_int())
        ring = ring->next;
    struct node *list = ring->next;
    ring->next = NULL;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
