/* The parent is freed before its child looks at it. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int count; struct node *child, *parent; };

int main(void)
{
    struct node *root = malloc(sizeof *root);
    root->count = 0;
    root->child = root->parent = NULL;
    if (__VERIFIER_nondet_int()) {
        struct node *c = malloc(sizeof *c);
        c->count = 0;
        c->child = NULL;
        c->parent = root;
        root->child = c;
    }
    struct node *child = root->child;
    free(root);
    if (child) {
        child->parent->count--; //~ ERROR use-after-free
        free(child);
    }
    return 0;
}
