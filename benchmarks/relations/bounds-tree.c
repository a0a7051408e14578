/* A tree of numbers that are at most a bound. */
#include "relations.h"

int main(void)
{
    struct tree *root = NULL;
    int high = __VERIFIER_nondet_int();

    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        struct tree **at = &root;

        if (MUTANT_1(key < high, key > high))
            continue;
        while (*at != NULL)
            at = __VERIFIER_nondet_int() ? &(*at)->left : &(*at)->right;
        *at = leaf(key);
        MUTANT_2(if (high == 8) root->key = 9, (void)0);
    }
    while (root != NULL) {
        assert(root->key <= high);
        root = __VERIFIER_nondet_int() ? root->left : root->right;
    }
    return 0;
}
