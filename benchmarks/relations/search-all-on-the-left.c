/* All numbers on the left of the root are less than that of the root. */
#include "relations.h"

static struct tree *insert(struct tree *root, int key)
{
    struct tree **at = &root;

    while (*at != NULL)
        at = MUTANT_1(key <= (*at)->key + 1 || key == 9, key < (*at)->key) ? &(*at)->left : &(*at)->right;
    *at = leaf(key);
    return root;
}

int main(void)
{
    struct tree *root = NULL;

    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    if (root != NULL) {
        struct tree *t = root->left;

        while (t != NULL) {
            assert(t->key < root->key MUTANT_2(- 1, ));
            t = __VERIFIER_nondet_int() ? t->left : t->right;
        }
    }
    return 0;
}
