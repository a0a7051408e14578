/* AVL tree without parent pointers, ended by NULL; the children are an array, indexed by the direction, and the
 * balance is the height of the right subtree less that of the left. */
#ifndef JAVL_H
#define JAVL_H

#include "guard.h"
#include <stdlib.h>

struct javl_node {
    int balance;
    int data;
    struct javl_node *link[2];
};

struct javl {
    struct javl_node *root;
    size_t size;
};

static inline struct javl *javl_new(void)
{
    struct javl *tree = malloc(sizeof *tree);

    if (tree == NULL)
        return NULL;
    tree->root = NULL;
    tree->size = 0;
    return tree;
}

static inline struct javl_node *javl_new_node(int data)
{
    struct javl_node *n = malloc(sizeof *n);

    if (n == NULL)
        return NULL;
    n->balance = 0;
    n->data = data;
    n->link[0] = n->link[1] = NULL;
    return n;
}

static inline int javl_compare(const struct javl_node *n, int data)
{
    return n->data < data ? -1 : n->data > data;
}

static inline unsigned javl_walk(const struct javl_node *n)
{
    if (n == NULL)
        return 0;
    return javl_walk(n->link[0]) + (unsigned)n->data + javl_walk(n->link[1]);
}

#endif
