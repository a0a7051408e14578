/* The grandparent of a node near the root. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int depth; struct node *child, *parent; };

int main(void)
{
    struct node *root = malloc(sizeof *root), *at = root;
    root->depth = 0;
    root->child = root->parent = NULL;
    while (__VERIFIER_nondet_int() && at->depth < 100) {
        struct node *n = malloc(sizeof *n);
        n->depth = at->depth + 1;
        n->child = NULL;
        n->parent = at;
        at->child = n;
        at = n;
    }
    int d = 0;
    if (at->parent)
        d = at->parent->parent->depth; //~ ERROR null-deref
    while (root) {
        struct node *n = root->child;
        free(root);
        root = n;
    }
    return d;
}
