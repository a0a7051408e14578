/* Binary search tree without parent pointers, ended by NULL. */
#ifndef BSTREE_H
#define BSTREE_H

#include <stdlib.h>

struct bstree {
    struct bstree *left, *right;
    int data;
};

/* Adds `data` as a new leaf if it is not there, and returns the root. */
static inline struct bstree *bstree_insert(struct bstree *root, int data)
{
    struct bstree *n, *at, *next;

    n = malloc(sizeof *n);
    if (n == NULL)
        return root;
    n->left = n->right = NULL;
    n->data = data;
    if (root == NULL)
        return n;
    for (at = root;; at = next) {
        if (data == at->data) {
            free(n);
            return root;
        }
        next = data < at->data ? at->left : at->right;
        if (next == NULL)
            break;
    }
    if (data < at->data)
        at->left = n;
    else
        at->right = n;
    return root;
}

static inline unsigned bstree_walk(struct bstree *t)
{
    if (t == NULL)
        return 0;
    return bstree_walk(t->left) + (unsigned)t->data + bstree_walk(t->right);
}

static inline void bstree_destroy(struct bstree *t)
{
    if (t == NULL)
        return;
    bstree_destroy(t->left);
    bstree_destroy(t->right);
    free(t);
}

#endif
