/* A tree whose children are never less than their parent: new roots are the least. */
#include "relations.h"

int main(void)
{
    struct tree *root = NULL;

    while (__VERIFIER_nondet_int()) {
        struct tree *t = leaf(__VERIFIER_nondet_int());

        if (root != NULL && MUTANT_1(t->key < root->key, t->key > root->key))
            t->key = root->key MUTANT_2(/ 2, );
        if (__VERIFIER_nondet_int())
            t->left = root;
        else
            t->right = root;
        root = t;
    }
    while (root != NULL) {
        if (root->left != NULL)
            assert(root->key <= root->left->key);
        if (root->right != NULL)
            assert(root->key <= root->right->key);
        root = root->left != NULL ? root->left : root->right;
    }
    return 0;
}
