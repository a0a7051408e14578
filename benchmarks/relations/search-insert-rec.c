/* The same by recursion. */
#include "relations.h"

static struct tree *insert(struct tree *t, int key)
{
    if (t == NULL)
        return leaf(key);
    if (MUTANT_1(key > t->key, key < t->key))
        t->left = insert(t->left, key);
    else
        t->right = insert(t->right, MUTANT_2(key == 3 ? 1 : key, key));
    return t;
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
            assert(root->right->key >= root->key);
        root = __VERIFIER_nondet_int() ? root->left : root->right;
    }
    return 0;
}
