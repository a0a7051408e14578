//~ SAFE
/* A tree is flattened to a list through its right pointers. */
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
static struct node *flatten(struct node *t, struct node *rest)
{
    if (!t)
        return rest;
    t->right = flatten(t->right, rest);
    struct node *left = t->left;
    t->left = NULL;
    return flatten(left, t);
}

int main(void)
{
    struct node *list = flatten(grow(), NULL);
    while (list) {
        struct node *next = list->right;
        free(list);
        list = next;
    }
    return 0;
}
