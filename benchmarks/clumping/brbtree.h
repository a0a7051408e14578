/* Red-black tree with parent pointers, ended by NULL; elements carry their links, and the caller owns them. */
#ifndef BRBTREE_H
#define BRBTREE_H

#include "guard.h"
#include <stdlib.h>

enum rb_colour { RB_BLACK, RB_RED };

struct rb_entry {
    struct rb_node *left, *right, *parent;
    enum rb_colour colour;
};

struct rb_node {
    struct rb_entry entry;
    int key;
};

struct rb_head {
    struct rb_node *root;
};

#define RB_INITIALIZER { NULL }
#define RB_LEFT(n) (n)->entry.left
#define RB_RIGHT(n) (n)->entry.right
#define RB_PARENT(n) (n)->entry.parent
#define RB_COLOUR(n) (n)->entry.colour
#define RB_IS_BLACK(n) ((n) == NULL || RB_COLOUR(n) == RB_BLACK)

static inline int rb_compare(const struct rb_node *a, const struct rb_node *b)
{
    return a->key < b->key ? -1 : a->key > b->key;
}

static inline void rb_set_black_red(struct rb_node *black, struct rb_node *red)
{
    RB_COLOUR(black) = RB_BLACK;
    RB_COLOUR(red) = RB_RED;
}

/* Puts `new` where `old` hangs below `parent`; NULL for the root. */
static inline void rb_swap_child(struct rb_head *head, struct rb_node *parent, struct rb_node *old, struct rb_node *new)
{
    if (parent == NULL)
    // mutant no-root-case: if (0)
        head->root = new;
        // mutant root-kept: ;
    else if (RB_LEFT(parent) == old)
        RB_LEFT(parent) = new;
    else
        RB_RIGHT(parent) = new;
        // mutant wrong-side (shape): RB_LEFT(parent) = new;
}

static inline void rb_rotate_left(struct rb_head *head, struct rb_node *elm)
{
    struct rb_node *up = RB_RIGHT(elm);

    RB_RIGHT(elm) = RB_LEFT(up);
    // mutant rotation-keeps-child (shape): ;
    if (RB_LEFT(up) != NULL)
        RB_PARENT(RB_LEFT(up)) = elm;
        // mutant rotation-parent-of-middle: ;
    RB_PARENT(up) = RB_PARENT(elm);
    // mutant rotation-parent-of-top (shape): ;
    rb_swap_child(head, RB_PARENT(elm), elm, up);
    RB_LEFT(up) = elm;
    // mutant rotation-loses-node: ;
    RB_PARENT(elm) = up;
    // mutant rotation-parent-of-bottom (shape): ;
}

static inline void rb_rotate_right(struct rb_head *head, struct rb_node *elm)
{
    struct rb_node *up = RB_LEFT(elm);

    RB_LEFT(elm) = RB_RIGHT(up);
    if (RB_RIGHT(up) != NULL)
    // mutant rotation-no-null-check: if (1)
        RB_PARENT(RB_RIGHT(up)) = elm;
    RB_PARENT(up) = RB_PARENT(elm);
    rb_swap_child(head, RB_PARENT(elm), elm, up);
    // mutant rotation-not-hung-in: ;
    RB_RIGHT(up) = elm;
    // mutant rotation-wrong-side: RB_LEFT(up) = elm;
    RB_PARENT(elm) = up;
}

/* The first node in order, NULL if there is none. */
static inline struct rb_node *rb_first(struct rb_head *head)
{
    struct rb_node *n = head->root;

    while (n != NULL && RB_LEFT(n) != NULL)
        n = RB_LEFT(n);
    return n;
}

/* The next node in order, NULL if there is none. */
static inline struct rb_node *rb_next(struct rb_node *n)
{
    if (RB_RIGHT(n) != NULL) {
        n = RB_RIGHT(n);
        while (RB_LEFT(n) != NULL)
            n = RB_LEFT(n);
        return n;
    }
    while (RB_PARENT(n) != NULL && RB_RIGHT(RB_PARENT(n)) == n)
        n = RB_PARENT(n);
    return RB_PARENT(n);
}

static inline unsigned rb_walk(struct rb_head *head)
{
    struct rb_node *n;
    unsigned sum = 0;

    for (n = rb_first(head); n != NULL; n = rb_next(n))
        sum += (unsigned)n->key;
    return sum;
}

static inline void rb_destroy(struct rb_node *n)
{
    if (n == NULL)
        return;
    rb_destroy(RB_LEFT(n));
    rb_destroy(RB_RIGHT(n));
    free(n);
}

#endif
