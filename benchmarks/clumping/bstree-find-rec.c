/* Finds a number in a search tree, and the node above it, recursively. */
#ifndef BSTREE_FIND_REC_C
#define BSTREE_FIND_REC_C

#include "bstree.h"

static struct bstree *bstree_search(struct bstree *cur, struct bstree *prev, int data, struct bstree **above)
{
    if (cur == NULL || cur->data == data) {
    // mutant no-end-check: if (cur->data == data) {
        *above = prev;
        // mutant dangling-parent: *above = prev; free(prev);
        return cur;
    }
    if (cur->data < data)
        return bstree_search(cur->right, cur, data, above);
        // mutant two-steps: return bstree_search(cur->right->right, cur, data, above);
        // mutant cut-left: { cur->left = NULL; return bstree_search(cur->right, cur, data, above); }
    return bstree_search(cur->left, cur, data, above);
    // mutant freed-on-the-way: { struct bstree *l = cur->left; free(cur); return bstree_search(l, prev, data, above); }
}

/*@ requires bstree(root) * above -> [8] { };
    ensures bstree(root) * above -> [8] { @0:8: _ }; */
struct bstree *bstree_find_rec(struct bstree *root, int data, struct bstree **above)
{
    return bstree_search(root, NULL, data, above);
    // mutant starts-below: return bstree_search(root->left, root, data, above);
}

#endif
