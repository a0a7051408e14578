//~ SAFE
/* Nodes know their parents; the way up from any node ends at the root. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *left, *right, *parent; };

static struct node *make(struct node *parent)
{
    struct node *n = malloc(sizeof *n);
    n->left = n->right = NULL;
    n->parent = parent;
    return n;
}
static void destroy(struct node *n)
{
    if (n) {
        destroy(n->left);
        destroy(n->right);
        free(n);
    }
}

int main(void)
{
    struct node *root = make(NULL), *at = root;
    while (__VERIFIER_nondet_int()) {
        struct node **side = __VERIFIER_nondet_int() ? &at->left : &at->right;
        if (!*side)
            *side = make(at);
        at = *side;
        if (__VERIFIER_nondet_int())
            at = root;
    }
    while (at->parent)
        at = at->parent;
    assert(at == root);
    destroy(root);
    return 0;
}
