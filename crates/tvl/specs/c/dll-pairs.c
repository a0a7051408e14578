/* Builds a doubly linked list and walks over it with a pair of neighbouring pointers. */
#include <stdlib.h>
struct dll { int data; struct dll *n, *p; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
    struct dll *x = NULL;
    while (__VERIFIER_nondet_int()) {
        struct dll *y = malloc(sizeof *y);
        if (!y) return 1;
        y->p = NULL;
        if (x) x->p = y;
        y->n = x;
        x = y;
    }
    if (x) {
        struct dll *y = x, *t = y->n;
        while (t) {
            t->p->data = 1;
            y->n->data = 2;
            y = t;
            t = y->n;
        }
    }
    while (x) {
        struct dll *t = x->n;
        free(x);
        x = t;
    }
    return 0;
}
