/* The leftmost number is the least. */
#include "relations.h"

static struct tree *insert(struct tree *root, int key)
{
    struct tree **at = &root;

    while (*at != NULL)
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = leaf(key);
    return root;
}

int main(void)
{
    struct tree *root = NULL;

    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    struct tree *t = root;

    if (root == NULL)
        return 0;
    while (t->left != NULL)
        t = t->left;
    while (root != NULL) {
        assert(t->key MUTANT_1(>, <=) root->key);
        root = __VERIFIER_nondet_int() ? root->left : root->right;
        MUTANT_2(if (root != NULL) root->key--, (void)0);
    }
    return 0;
}
