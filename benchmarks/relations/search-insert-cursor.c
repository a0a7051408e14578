/* The same with a cursor; equal numbers are not inserted again. */
#include "relations.h"

static struct tree *insert(struct tree *root, int key)
{
    struct tree *at = root, *next;

    if (root == NULL)
        return leaf(key);
    for (;; at = next) {
        if (at->key == key)
            return root;
        next = key < at->key ? at->left : at->right;
        if (next == NULL)
            break;
    }
    if (MUTANT_1(key >= at->key, key < at->key))
        at->left = leaf(key);
    else
        at->right = leaf(key);
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
            assert(root->right->key > root->key MUTANT_2(+ 1, ));
        root = __VERIFIER_nondet_int() ? root->left : root->right;
    }
    return 0;
}
