/* The leaves of a tree are threaded to a list of their own kind. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *left, *right; };

static struct node *grow(void)
{
    if (__VERIFIER_nondet_int() <= 0)
        return NULL;
    struct node *n = malloc(sizeof *n);
    n->left = grow();
    n->right = grow();
    return n;
}
/* Takes nodes for leaves that have a left child before the rest. */
static struct node *leaves(struct node *t, struct node *rest)
{
    if (!t)
        return rest;
    if (!t->right) {
        t->right = rest;
        return t;
    }
    rest = leaves(t->right, rest);
    rest = leaves(t->left, rest);
    free(t);
    return rest;
}

int main(void)
{
    struct node *list = leaves(grow(), NULL);
    for (struct node *n = list; n; n = n->right)
        assert(!n->left); //~ ERROR assertion
    while (list) {
        struct node *next = list->right;
        free(list);
        list = next;
    }
    return 0;
}
