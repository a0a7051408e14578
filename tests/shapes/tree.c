/* A search tree grows and is taken apart from its root: it is a tree all the time. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void __heapwise_check_shape(const char *);

struct tree { struct tree *left, *right; int key; };
/*@ predicate tree(t) = t == null
    | t -> struct tree { left: l, right: r, key: _ } * tree(l) * tree(r); */

static void insert(struct tree **root, int key)
{
    while (*root)
        root = key < (*root)->key ? &(*root)->left : &(*root)->right;
    struct tree *x = malloc(sizeof *x);
    x->left = x->right = NULL;
    x->key = key;
    *root = x;
}

static void destroy(struct tree *t)
{
    __heapwise_check_shape("tree(t)");
    if (t) {
        destroy(t->left);
        destroy(t->right);
        free(t);
    }
}

int main(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int())
        insert(&root, __VERIFIER_nondet_int());
    __heapwise_check_shape("tree(root)");
    destroy(root);
    return 0;
}
