/* Flags say which children exist. */
#include "relations.h"

struct flagged {
    struct flagged *left, *right;
    int has_left, has_right;
};

static struct flagged *grow(struct flagged *root)
{
    struct flagged *n = malloc(sizeof *n);

    if (n == NULL)
        exit(1);
    n->left = n->right = NULL;
    n->has_left = n->has_right = 0;
    if (__VERIFIER_nondet_int()) {
        n->left = root;
        n->has_left = MUTANT_1(1, root != NULL);
    } else {
        n->right = root;
        MUTANT_2((void)0, n->has_right = root != NULL);
    }
    return n;
}

int main(void)
{
    struct flagged *root = NULL;

    while (__VERIFIER_nondet_int())
        root = grow(root);
    while (root != NULL) {
        assert(root->has_left == (root->left != NULL));
        assert(root->has_right == (root->right != NULL));
        root = root->has_left ? root->left : root->right;
    }
    return 0;
}
