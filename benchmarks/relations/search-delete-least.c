/* The leftmost node is taken out; the rest is a search tree. */
#include "relations.h"

static struct tree *insert(struct tree *root, int key)
{
    struct tree **at = &root;

    while (*at != NULL)
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = leaf(key);
    return root;
}

static struct tree *delete_least(struct tree *root)
{
    struct tree **at = &root, *gone;

    if (root == NULL)
        return NULL;
    while ((*at)->left != NULL)
        at = &(*at)->left;
    gone = *at;
    *at = gone->right;
    MUTANT_1(root = *at = gone; gone->key = 1000, free(gone));
    return root;
}

int main(void)
{
    struct tree *root = NULL;

    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    root = delete_least(root);
    while (root != NULL) {
        if (root->left != NULL)
            assert(root->left->key < root->key MUTANT_2(- 1, ));
        if (root->right != NULL)
            assert(root->right->key >= root->key);
        root = __VERIFIER_nondet_int() ? root->left : root->right;
    }
    return 0;
}
