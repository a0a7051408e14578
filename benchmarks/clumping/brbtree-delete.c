/* Takes the element with a key out of a red-black tree and returns it; NULL if there is none. */
#ifndef BRBTREE_DELETE_C
#define BRBTREE_DELETE_C

#include "brbtree.h"
#include "brbtree-find.c"

/* Repairs the colours where a black node is missing above `elm`, which may be NULL and hangs below `parent`. */
static void rb_remove_colour(struct rb_head *head, struct rb_node *parent, struct rb_node *elm)
{
    struct rb_node *tmp, *child;

    while (RB_IS_BLACK(elm) && elm != head->root) {
    // mutant no-root-check: while (RB_IS_BLACK(elm)) {
        if (RB_LEFT(parent) == elm) {
            tmp = RB_RIGHT(parent);
            if (ABSENT(tmp))
                break;
            if (RB_COLOUR(tmp) == RB_RED) {
                rb_set_black_red(tmp, parent);
                rb_rotate_left(head, parent);
                tmp = RB_RIGHT(parent);
                if (ABSENT(tmp))
                    break;
            }
            if (RB_IS_BLACK(RB_LEFT(tmp)) && RB_IS_BLACK(RB_RIGHT(tmp))) {
                RB_COLOUR(tmp) = RB_RED;
                elm = parent;
                parent = RB_PARENT(elm);
            } else {
                if (RB_IS_BLACK(RB_RIGHT(tmp))) {
                // mutant rotates-always: {
                    child = RB_LEFT(tmp);
                    RB_COLOUR(child) = RB_BLACK;
                    RB_COLOUR(tmp) = RB_RED;
                    rb_rotate_right(head, tmp);
                    // mutant wrong-rotation: rb_rotate_left(head, tmp);
                    tmp = RB_RIGHT(parent);
                }
                RB_COLOUR(tmp) = RB_COLOUR(parent);
                RB_COLOUR(parent) = RB_BLACK;
                // mutant parent-stays-red (numbers, colours, black heights): ;
                if (RB_RIGHT(tmp) != NULL)
                    RB_COLOUR(RB_RIGHT(tmp)) = RB_BLACK;
                rb_rotate_left(head, parent);
                // mutant opposite-rotation: rb_rotate_right(head, parent);
                elm = head->root;
                break;
            }
        } else {
            tmp = RB_LEFT(parent);
            if (ABSENT(tmp))
                break;
            if (RB_COLOUR(tmp) == RB_RED) {
                rb_set_black_red(tmp, parent);
                rb_rotate_right(head, parent);
                tmp = RB_LEFT(parent);
                if (ABSENT(tmp))
                    break;
            }
            if (RB_IS_BLACK(RB_LEFT(tmp)) && RB_IS_BLACK(RB_RIGHT(tmp))) {
                RB_COLOUR(tmp) = RB_RED;
                elm = parent;
                parent = RB_PARENT(elm);
            } else {
                if (RB_IS_BLACK(RB_LEFT(tmp))) {
                    child = RB_RIGHT(tmp);
                    RB_COLOUR(child) = RB_BLACK;
                    RB_COLOUR(tmp) = RB_RED;
                    rb_rotate_left(head, tmp);
                    tmp = RB_LEFT(parent);
                }
                RB_COLOUR(tmp) = RB_COLOUR(parent);
                RB_COLOUR(parent) = RB_BLACK;
                if (RB_LEFT(tmp) != NULL)
                    RB_COLOUR(RB_LEFT(tmp)) = RB_BLACK;
                rb_rotate_right(head, parent);
                elm = head->root;
                break;
            }
        }
    }
    if (elm != NULL)
    // mutant no-null-check: if (1)
        RB_COLOUR(elm) = RB_BLACK;
}

/* Takes `old` out of the tree. */
static void rb_remove(struct rb_head *head, struct rb_node *old)
{
    struct rb_node *elm = old, *child, *parent;
    enum rb_colour colour;

    if (RB_LEFT(elm) == NULL) {
        child = RB_RIGHT(elm);
        // mutant lost-right: child = NULL;
    } else if (RB_RIGHT(elm) == NULL) {
        child = RB_LEFT(elm);
    } else {
        /* The next node in order leaves its place and takes over that of `old`. */
        elm = RB_RIGHT(elm);
        while (RB_LEFT(elm) != NULL)
            elm = RB_LEFT(elm);
        child = RB_RIGHT(elm);
        parent = RB_PARENT(elm);
        colour = RB_COLOUR(elm);
        if (child != NULL)
            RB_PARENT(child) = parent;
            // mutant parent-of-successors-child (shape): ;
        rb_swap_child(head, parent, elm, child);
        // mutant successor-not-detached (shape): ;
        if (RB_PARENT(elm) == old)
            parent = elm;
            // mutant rebalances-old: ;
        elm->entry = old->entry;
        // mutant links-not-taken-over (shape): RB_PARENT(elm) = RB_PARENT(old);
        rb_swap_child(head, RB_PARENT(old), old, elm);
        // mutant not-hung-in: ;
        RB_PARENT(RB_LEFT(old)) = elm;
        // mutant parent-of-left: ;
        if (RB_RIGHT(old) != NULL)
        // mutant no-right-check: if (1)
            RB_PARENT(RB_RIGHT(old)) = elm;
        if (colour == RB_BLACK)
            rb_remove_colour(head, parent, child);
        return;
    }
    parent = RB_PARENT(elm);
    colour = RB_COLOUR(elm);
    if (child != NULL)
    // mutant no-child-check: if (1)
        RB_PARENT(child) = parent;
        // mutant parent-of-child: ;
    rb_swap_child(head, parent, elm, child);
    if (colour == RB_BLACK)
    // mutant never-repaired (numbers, colours, black heights): if (0)
        rb_remove_colour(head, parent, child);
}

/*@ requires head -> struct rb_head { root: r } * rb(r, null) * elm -> struct rb_node { key: _ };
    ensures rb_alone(\result) * head -> struct rb_head { root: r } * rb(r, null)
          * elm -> struct rb_node { key: _ }; */
struct rb_node *brbtree_delete(struct rb_head *head, struct rb_node *elm)
{
    struct rb_node *old = brbtree_find(head, elm);

    if (old != NULL)
    // mutant no-found-check: if (1)
        rb_remove(head, old);
    return old;
}

#endif
