/* Adds an element to a red-black tree; returns NULL, or the element that has the key already. */
#ifndef BRBTREE_INSERT_C
#define BRBTREE_INSERT_C

#include "brbtree.h"

/* Repairs the colours after the red leaf `elm` was added. */
static void rb_insert_colour(struct rb_head *head, struct rb_node *elm)
{
    struct rb_node *parent, *grandparent, *tmp;

    while ((parent = RB_PARENT(elm)) != NULL && RB_COLOUR(parent) == RB_RED) {
    // mutant no-root-check: while (parent = RB_PARENT(elm), RB_COLOUR(parent) == RB_RED) {
        grandparent = RB_PARENT(parent);
        if (ABSENT(grandparent))
            break;
        if (parent == RB_LEFT(grandparent)) {
            tmp = RB_RIGHT(grandparent);
            if (tmp != NULL && RB_COLOUR(tmp) == RB_RED) {
            // mutant no-uncle-check: if (RB_COLOUR(tmp) == RB_RED) {
                RB_COLOUR(tmp) = RB_BLACK;
                // mutant uncle-stays-red (numbers, colours, black heights): ;
                rb_set_black_red(parent, grandparent);
                elm = grandparent;
                continue;
            }
            if (RB_RIGHT(parent) == elm) {
            // mutant rotates-always: {
                rb_rotate_left(head, parent);
                // mutant wrong-rotation: rb_rotate_right(head, parent);
                tmp = parent;
                parent = elm;
                elm = tmp;
            }
            rb_set_black_red(parent, grandparent);
            // mutant not-recoloured (numbers, colours, black heights): ;
            rb_rotate_right(head, grandparent);
            // mutant opposite-rotation: rb_rotate_left(head, grandparent);
        } else {
            tmp = RB_LEFT(grandparent);
            if (tmp != NULL && RB_COLOUR(tmp) == RB_RED) {
                RB_COLOUR(tmp) = RB_BLACK;
                rb_set_black_red(parent, grandparent);
                elm = grandparent;
                continue;
            }
            if (RB_LEFT(parent) == elm) {
                rb_rotate_right(head, parent);
                tmp = parent;
                parent = elm;
                elm = tmp;
            }
            rb_set_black_red(parent, grandparent);
            rb_rotate_left(head, grandparent);
        }
    }
    RB_COLOUR(head->root) = RB_BLACK;
    // mutant root-stays-red (numbers, colours, black heights): ;
}

/*@ requires head -> struct rb_head { root: r } * rb(r, null) * elm -> struct rb_node { key: _ };
    ensures rb_refused(elm, \result) * head -> struct rb_head { root: r } * rb(r, null); */
struct rb_node *brbtree_insert(struct rb_head *head, struct rb_node *elm)
{
    struct rb_node *tmp, *parent = NULL;
    int order = 0;

    tmp = head->root;
    while (tmp != NULL) {
        parent = tmp;
        order = rb_compare(elm, parent);
        if (order < 0)
            tmp = RB_LEFT(tmp);
        else if (order > 0)
            tmp = RB_RIGHT(tmp);
        else
            return tmp;
    }
    RB_PARENT(elm) = parent;
    // mutant no-parent (shape): RB_PARENT(elm) = NULL;
    RB_LEFT(elm) = RB_RIGHT(elm) = NULL;
    // mutant uninitialised-child: RB_LEFT(elm) = NULL;
    RB_COLOUR(elm) = RB_RED;
    // mutant black-leaf (numbers, black heights): RB_COLOUR(elm) = RB_BLACK;
    if (parent == NULL)
    // mutant no-empty-case: if (0)
        head->root = elm;
    else if (order < 0)
        RB_LEFT(parent) = elm;
        // mutant lost-leaf: ;
    else
        RB_RIGHT(parent) = elm;
        // mutant wrong-side: RB_LEFT(parent) = elm;
    rb_insert_colour(head, elm);
    return NULL;
}

#endif
