/* Finds an element of a red-black tree by its key; NULL if there is none. */
#ifndef BRBTREE_FIND_C
#define BRBTREE_FIND_C

#include "brbtree.h"

/*@ requires head -> struct rb_head { root: r } * rb(r, null) * elm -> struct rb_node { key: _ };
    ensures head -> struct rb_head { root: r } * rb(r, null) * elm -> struct rb_node { key: _ }; */
struct rb_node *brbtree_find(struct rb_head *head, struct rb_node *elm)
{
    struct rb_node *n = head->root;
    int order;

    while (n != NULL) {
    // mutant no-end-check: while (1) {
        order = rb_compare(elm, n);
        if (order < 0)
            n = RB_LEFT(n);
            // mutant cut-left: { struct rb_node *o = n; n = RB_LEFT(n); RB_LEFT(o) = NULL; }
            // mutant parent-lost (shape): { n = RB_LEFT(n); if (n) RB_PARENT(n) = NULL; }
            // mutant red-on-the-way (numbers, colours, black heights): { RB_COLOUR(n) = RB_RED; n = RB_LEFT(n); }
        else if (order > 0)
            n = RB_RIGHT(n);
            // mutant two-steps: n = RB_RIGHT(RB_RIGHT(n));
            // mutant pulled-up: { n = RB_RIGHT(n); head->root = n; }
        else
            return n;
            // mutant freed-result: { free(n); return n; }
            // mutant red-where-found (numbers, colours, black heights): { RB_COLOUR(n) = RB_RED; return n; }
    }
    return NULL;
}

#endif
