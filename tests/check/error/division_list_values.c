/* An element of the list may be zero. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { unsigned v; struct node *next; };

int main(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = (unsigned)__VERIFIER_nondet_int() % 4;
        n->next = l;
        l = n;
    }
    unsigned q = 0;
    while (l) {
        struct node *n = l->next;
        q = 12 / l->v; //~ ERROR division-by-zero
        free(l);
        l = n;
    }
    return q > 12;
}
