/* The variable is set in a loop that may not run. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

int main(void)
{
    struct node *l = NULL, *last;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = 0;
        n->next = l;
        l = n;
        last = n;
    }
    last->v = 1; //~ ERROR uninitialised
    while (l) {
        struct node *n = l->next;
        free(l);
        l = n;
    }
    return 0;
}
