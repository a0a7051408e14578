/* A node is taken out; if it has two children, the least on its right takes its place. */
#include "relations.h"

static struct tree *insert(struct tree *root, int key)
{
    struct tree **at = &root;

    while (*at != NULL)
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = leaf(key);
    return root;
}

static void delete(struct tree **at, int key)
{
    struct tree *gone;

    while (*at != NULL && (*at)->key != key)
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    gone = *at;
    if (gone == NULL)
        return;
    if (gone->left == NULL) {
        *at = gone->right;
    } else if (gone->right == NULL) {
        *at = gone->left;
    } else {
        struct tree **least = MUTANT_1(&gone->left, &gone->right), *n;

        while ((*least)->left != NULL)
            least = &(*least)->left;
        n = *least;
        gone->key = MUTANT_2(n->key + 1, n->key);
        *least = n->right;
        gone = n;
    }
    free(gone);
}

int main(void)
{
    struct tree *root = NULL;

    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    delete(&root, __VERIFIER_nondet_int());
    while (root != NULL) {
        if (root->left != NULL)
            assert(root->left->key < root->key);
        if (root->right != NULL)
            assert(root->right->key >= root->key);
        root = __VERIFIER_nondet_int() ? root->left : root->right;
    }
    return 0;
}
