//~ SAFE
/* Search tree with parent pointers that a global leads to; a static node stands for whatever is missing. Nodes are turned
   about their parents now and then. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; int red; struct node *left, *right, *up; };

static struct node nil;
static struct node *root = &nil;

static void turn_left(struct node *x)
{
    struct node *y = x->right;
    x->right = y->left;
    if (y->left != &nil)
        y->left->up = x;
    y->up = x->up;
    if (x->up == &nil)
        root = y;
    else if (x == x->up->left)
        x->up->left = y;
    else
        x->up->right = y;
    y->left = x;
    x->up = y;
}

static void insert(int key)
{
    struct node *above = &nil, *at = root;
    while (at != &nil) {
        above = at;
        at = key < at->key ? at->left : at->right;
    }
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->up = above;
    n->left = n->right = &nil;
    n->red = 1;
    if (above == &nil)
        root = n;
    else if (key < above->key)
        above->left = n;
    else
        above->right = n;
    if (above != &nil && above->right == n && __VERIFIER_nondet_int())
        turn_left(above);
}

static void destroy(struct node *n)
{
    if (n == &nil)
        return;
    destroy(n->left);
    destroy(n->right);
    free(n);
}

int main(void)
{
    while (__VERIFIER_nondet_int())
        insert(__VERIFIER_nondet_int());
    destroy(root);
    return 0;
}
