//~ SAFE
/* A list behind a header node on the stack: no special case for the first element. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

int main(void)
{
    struct node header = {0, NULL};
    while (__VERIFIER_nondet_int()) {
        struct node *at = &header;
        while (at->next && __VERIFIER_nondet_int())
            at = at->next;
        struct node *n = malloc(sizeof *n);
        n->v = 1;
        n->next = at->next;
        at->next = n;
    }
    while (header.next) {
        struct node *n = header.next;
        header.next = n->next;
        free(n);
    }
    return header.v;
}
