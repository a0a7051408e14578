/* Takes the least number out of a search tree by recursion, and returns the tree. */
#include "../clumping/bstree.h"

/*@ requires search(t, -2147483648, 2147483647);
    ensures search(\result, -2147483648, 2147483647); */
struct bstree *search_delmin(struct bstree *t)
{
    if (t == NULL)
        return NULL;
    if (t->left == NULL) {
        struct bstree *right = t->right;
        // mutant lowered: struct bstree *right = t->right; if (right && right->right) right->right->data = t->data;

        free(t);
        return right;
    }
    t->left = search_delmin(t->left);
    // mutant raised: { t->left = search_delmin(t->left); if (t->left) t->left->data = t->data; }
    return t;
}
