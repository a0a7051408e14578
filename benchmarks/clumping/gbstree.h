/* Binary search tree with parent pointers. A sentinel node stands above the tree, which is its left subtree; every
 * missing child, and the sentinel's own right child and parent, point back to the sentinel. There is no NULL in it.
 * Nodes are reached through functions that check their argument. */
#ifndef GBSTREE_H
#define GBSTREE_H

#include <assert.h>
#include <stdlib.h>

struct gbstree_node {
    struct gbstree_node *left, *right, *parent;
    int content;
};

struct gbstree {
    struct gbstree_node *sent;
    unsigned long card;
};

enum gbstree_result { GBSTREE_INSERTED, GBSTREE_FOUND, GBSTREE_NO_MEMORY };

static inline struct gbstree_node *gbstree_node_get_left(struct gbstree_node *n)
{
    assert(n != NULL);
    return n->left;
}

static inline struct gbstree_node *gbstree_node_get_right(struct gbstree_node *n)
{
    assert(n != NULL);
    return n->right;
}

static inline struct gbstree_node *gbstree_node_get_parent(struct gbstree_node *n)
{
    assert(n != NULL);
    return n->parent;
}

static inline int gbstree_node_get_content(struct gbstree_node *n)
{
    assert(n != NULL);
    return n->content;
}

static inline void gbstree_node_set_left(struct gbstree_node *n, struct gbstree_node *left)
{
    assert(n != NULL);
    n->left = left;
}

static inline void gbstree_node_set_right(struct gbstree_node *n, struct gbstree_node *right)
{
    assert(n != NULL);
    n->right = right;
}

static inline void gbstree_node_set_parent(struct gbstree_node *n, struct gbstree_node *parent)
{
    assert(n != NULL);
    n->parent = parent;
}

/* A new node without children, which are `sent`, or the node itself if that is NULL. */
static inline struct gbstree_node *gbstree_node_alloc(struct gbstree_node *sent, int content)
{
    struct gbstree_node *n = malloc(sizeof *n);

    if (n == NULL)
        return NULL;
    if (sent == NULL)
        sent = n;
    gbstree_node_set_left(n, sent);
    gbstree_node_set_right(n, sent);
    gbstree_node_set_parent(n, sent);
    n->content = content;
    return n;
}

static inline void gbstree_node_free(struct gbstree_node *n)
{
    assert(n != NULL);
    free(n);
}

static inline struct gbstree *gbstree_alloc(void)
{
    struct gbstree *t = malloc(sizeof *t);

    if (t == NULL)
        return NULL;
    t->sent = gbstree_node_alloc(NULL, 0);
    if (t->sent == NULL) {
        free(t);
        return NULL;
    }
    t->card = 0;
    return t;
}

static inline struct gbstree_node *gbstree_get_root(struct gbstree *t)
{
    assert(t != NULL);
    return gbstree_node_get_left(t->sent);
}

static inline int gbstree_compare(struct gbstree_node *n, int content)
{
    int own = gbstree_node_get_content(n);

    return content < own ? -1 : content > own;
}

/* The first node in order, the sentinel if there is none. */
static inline struct gbstree_node *gbstree_first(struct gbstree *t)
{
    struct gbstree_node *n = t->sent;

    while (gbstree_node_get_left(n) != t->sent)
        n = gbstree_node_get_left(n);
    return n;
}

/* The next node in order, the sentinel if there is none. */
static inline struct gbstree_node *gbstree_next(struct gbstree *t, struct gbstree_node *n)
{
    struct gbstree_node *up;

    if (gbstree_node_get_right(n) != t->sent) {
        n = gbstree_node_get_right(n);
        while (gbstree_node_get_left(n) != t->sent)
            n = gbstree_node_get_left(n);
        return n;
    }
    up = gbstree_node_get_parent(n);
    while (up != t->sent && n == gbstree_node_get_right(up)) {
        n = up;
        up = gbstree_node_get_parent(up);
    }
    return up;
}

static inline unsigned gbstree_walk(struct gbstree *t)
{
    struct gbstree_node *n;
    unsigned sum = 0;

    for (n = gbstree_first(t); n != t->sent; n = gbstree_next(t, n))
        sum += (unsigned)gbstree_node_get_content(n);
    return sum;
}

static inline void gbstree_free_below(struct gbstree_node *n, struct gbstree_node *sent)
{
    if (n == sent)
        return;
    gbstree_free_below(gbstree_node_get_left(n), sent);
    gbstree_free_below(gbstree_node_get_right(n), sent);
    gbstree_node_free(n);
}

static inline void gbstree_free(struct gbstree *t)
{
    gbstree_free_below(gbstree_get_root(t), t->sent);
    gbstree_node_free(t->sent);
    free(t);
}

#endif
