//~ SAFE
/* Search tree with parent pointers below a node that also stands for every missing child. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *left, *right, *parent; int key; };

static void destroy(struct node *n, struct node *none)
{
    if (n == none)
        return;
    destroy(n->left, none);
    destroy(n->right, none);
    free(n);
}

int main(void)
{
    struct node *top = malloc(sizeof *top);
    top->left = top->right = top->parent = top;
    top->key = 0;
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        struct node *parent = top, *n = top->left;
        while (n != top && n->key != key) {
            parent = n;
            n = key < n->key ? n->left : n->right;
        }
        if (n != top)
            continue;
        n = malloc(sizeof *n);
        n->left = n->right = top;
        n->parent = parent;
        n->key = key;
        if (parent == top || key < parent->key)
            parent->left = n;
        else
            parent->right = n;
    }
    destroy(top->left, top);
    free(top);
    return 0;
}
