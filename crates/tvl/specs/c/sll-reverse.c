/* Builds a singly linked list, reverses it in place and walks over the result. */
#include <stdlib.h>
struct node { int data; struct node *n; };
extern int __VERIFIER_nondet_int(void);
static struct node *push(struct node *x) {
    struct node *e = malloc(sizeof(struct node));
    if (e == NULL) abort();
    e->n = x;
    return e;
}
int main(void) {
    struct node *x = NULL, *y = NULL;
    while (__VERIFIER_nondet_int()) x = push(x);
    while (x != NULL) {
        struct node *t = y;
        y = x;
        x = x->n;
        y->n = t;
    }
    x = y;
    while (y) y = y->n;
    while (x) {
        struct node *t = x;
        x = x->n;
        free(t);
    }
    return 0;
}
