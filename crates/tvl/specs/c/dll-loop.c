/* Builds a doubly linked list at its front and walks over it (Figure 1 of Arnold's report). */
#include <stdlib.h>
struct dll { int data; struct dll *n, *p; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
    struct dll *x = NULL;
    while (__VERIFIER_nondet_int()) {
        struct dll *y = malloc(sizeof *y);
        if (!y) return 1;
        y->p = NULL;
        if (x != NULL) x->p = y;
        y->n = x;
        x = y;
    }
    struct dll *y = x;
    while (y != NULL) {
        y->data = 1;
        struct dll *t = y->n;
        y = t;
    }
    while (x) {
        struct dll *t = x->n;
        free(x);
        x = t;
    }
    return 0;
}
