//~ SAFE
/* Moves the elements to two lists by the sign of their key. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *next; };

static void push(struct node **list, struct node *n)
{
    n->next = *list;
    *list = n;
}
static void destroy(struct node *l, int negative)
{
    while (l) {
        struct node *n = l->next;
        assert((l->key < 0) == negative);
        free(l);
        l = n;
    }
}

int main(void)
{
    struct node *all = NULL, *minus = NULL, *plus = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->key = __VERIFIER_nondet_int();
        push(&all, n);
    }
    while (all) {
        struct node *n = all;
        all = n->next;
        push(n->key < 0 ? &minus : &plus, n);
    }
    destroy(minus, 1);
    destroy(plus, 0);
    return 0;
}
