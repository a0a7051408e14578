/* Builds a singly linked list and removes an arbitrary element of it. */
#include <stdlib.h>
struct node { int data; struct node *n; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
    struct node *x = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *e = calloc(1, sizeof(struct node));
        if (!e) return 1;
        e->n = x;
        x = e;
    }
    struct node *y = x, *p = NULL;
    while (y != NULL && __VERIFIER_nondet_int()) {
        p = y;
        y = y->n;
    }
    if (y != NULL) {
        struct node *t = y->n;
        y->n = NULL;
        if (p != NULL) p->n = t;
        else x = t;
        free(y);
    }
    y = x;
    while (y != NULL) {
        y->data = 1;
        y = y->n;
    }
    while (x) {
        struct node *t = x->n;
        free(x);
        x = t;
    }
    return 0;
}
