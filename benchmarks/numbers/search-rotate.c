/* Turns the edge between a node of a search tree and its right child; returns the new root. */
#include "../clumping/bstree.h"

/*@ requires search(t, -2147483648, 2147483647);
    ensures search(\result, -2147483648, 2147483647); */
struct bstree *search_rotate(struct bstree *t)
{
    struct bstree *up;

    if (t == NULL || t->right == NULL)
        return t;
    up = t->right;
    t->right = up->left;
    // mutant crossed-over: { struct bstree *l = t->left; t->left = up->left; t->right = l; }
    up->left = t;
    // mutant wrong-side: { up->left = up->right; up->right = t; }
    return up;
}
