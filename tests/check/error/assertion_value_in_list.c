/* One kind of element has another value. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

int main(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = __VERIFIER_nondet_int() == 2 ? 2 : 1;
        n->next = l;
        l = n;
    }
    while (l) {
        struct node *n = l->next;
        assert(l->v == 1); //~ ERROR assertion
        free(l);
        l = n;
    }
    return 0;
}
