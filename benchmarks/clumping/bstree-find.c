/* Finds a number in a search tree, and the node above it. */
#ifndef BSTREE_FIND_C
#define BSTREE_FIND_C

#include "bstree.h"

/*@ requires bstree(root) * above -> [8] { };
    ensures bstree(root) * above -> [8] { @0:8: _ }; */
struct bstree *bstree_find(struct bstree *root, int data, struct bstree **above)
{
    struct bstree *cur, *prev;

    cur = root;
    prev = NULL;
    while (cur != NULL) {
    // mutant no-end-check: while (1) {
        if (cur->data == data) {
            *above = prev;
            // mutant dangling-parent: *above = prev; free(cur->left);
            // mutant overwritten-where-found (numbers, order): { *above = prev; cur->data = 2147483647; }
            return cur;
        }
        prev = cur;
        // mutant cut-left: prev = cur; cur->left = NULL;
        // mutant overwritten-on-the-way (numbers, order): { prev = cur; cur->data = 0; }
        if (cur->data < data)
            cur = cur->right;
            // mutant two-steps: cur = cur->right->right;
        else
            cur = cur->left;
            // mutant freed-on-the-way: { struct bstree *l = cur->left; free(l); cur = l; }
    }
    *above = prev;
    // mutant tied-below (shape): *above = prev; if (prev) prev->left = root;
    return NULL;
}

#endif
