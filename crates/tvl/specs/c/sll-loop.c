/* Builds a singly linked list and walks over it. */
#include <stdlib.h>
struct node { int data; struct node *n; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
    struct node *x = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *y = malloc(sizeof *y);
        if (!y) return 1;
        y->data = 0;
        y->n = x;
        x = y;
    }
    struct node *y = x;
    while (y != NULL) {
        y->data = 1;
        struct node *t = y->n;
        y = t;
    }
    while (x != NULL) {
        struct node *t = x->n;
        free(x);
        x = t;
    }
    return 0;
}
