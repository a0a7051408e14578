/* A tree of one number. */
#include "relations.h"

int main(void)
{
    struct tree *root = NULL;
    int k = __VERIFIER_nondet_int();

    while (__VERIFIER_nondet_int()) {
        struct tree **at = &root;

        while (*at != NULL)
            at = __VERIFIER_nondet_int() ? &(*at)->left : &(*at)->right;
        *at = leaf(MUTANT_1(k / 2 * 2, k));
    }
    while (root != NULL) {
        assert(root->key == k MUTANT_2(|| k == 5 ? root->key != k : 1, ));
        root = __VERIFIER_nondet_int() ? root->left : root->right;
    }
    return 0;
}
