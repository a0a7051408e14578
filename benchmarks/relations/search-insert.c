/* Insertion into a search tree: children are on their side. */
#include "relations.h"

static struct tree *insert(struct tree *root, int key)
{
    struct tree **at = &root;

    while (*at != NULL)
        at = MUTANT_1(key > (*at)->key, key < (*at)->key) ? &(*at)->left : &(*at)->right;
    *at = leaf(key);
    return root;
}

int main(void)
{
    struct tree *root = NULL;

    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    while (root != NULL) {
        if (root->left != NULL)
            assert(root->left->key < root->key);
        if (root->right != NULL)
            assert(root->right->key MUTANT_2(>, >=) root->key);
        root = __VERIFIER_nondet_int() ? root->left : root->right;
    }
    return 0;
}
