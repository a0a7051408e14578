/* Removes a number from a search tree whose leaves point back to the sentinel above the root. */
#ifndef GBSTREE_DELETE_C
#define GBSTREE_DELETE_C

#include "gbstree.h"
#include "gbstree-find.c"

/* Puts `b`, which may be the sentinel, where `a` hangs. */
static void gbstree_replace(struct gbstree *t, struct gbstree_node *a, struct gbstree_node *b)
{
    struct gbstree_node *parent;

    assert(a != t->sent);
    parent = gbstree_node_get_parent(a);
    if (gbstree_node_get_left(parent) == a)
    // mutant always-left: if (1)
        gbstree_node_set_left(parent, b);
    else
        gbstree_node_set_right(parent, b);
        // mutant no-right-link: ;
    if (b != t->sent)
    // mutant sentinel-rehung (shape): if (1)
        gbstree_node_set_parent(b, parent);
        // mutant no-parent: ;
}

/* The greatest node of the subtree `n`. */
static struct gbstree_node *gbstree_rightmost(struct gbstree *t, struct gbstree_node *n)
{
    assert(n != t->sent);
    while (gbstree_node_get_right(n) != t->sent)
        n = gbstree_node_get_right(n);
    return n;
}

/* Takes `n` out of the tree. */
static void gbstree_unlink(struct gbstree *t, struct gbstree_node *n)
{
    struct gbstree_node *left, *right, *m;

    left = gbstree_node_get_left(n);
    right = gbstree_node_get_right(n);
    if (left == t->sent) {
        gbstree_replace(t, n, right);
        // mutant lost-right: gbstree_replace(t, n, t->sent);
        // mutant null-leaf (shape): gbstree_replace(t, n, right == t->sent ? n->parent : right);
    } else if (right == t->sent) {
    // mutant lost-right-subtree: } else if (1) {
        gbstree_replace(t, n, left);
    } else {
        m = gbstree_rightmost(t, left);
        if (m != left) {
            gbstree_replace(t, m, gbstree_node_get_left(m));
            // mutant not-detached (shape): ;
            gbstree_node_set_left(m, left);
            gbstree_node_set_parent(left, m);
            // mutant parent-of-left: ;
        }
        gbstree_node_set_right(m, right);
        gbstree_node_set_parent(right, m);
        // mutant parent-of-right: ;
        gbstree_replace(t, n, m);
    }
}

/* Returns 1 if the content was there. */
/*@ requires t -> struct gbstree { sent: s, card: _ }
          * s -> struct gbstree_node { left: r, right: s, parent: s, content: _ } * gbstree_below(r, s, s);
    ensures t -> struct gbstree { sent: s, card: _ }
          * s -> struct gbstree_node { left: r, right: s, parent: s, content: _ } * gbstree_below(r, s, s); */
int gbstree_delete(struct gbstree *t, int content)
{
    struct gbstree_node *n;

    assert(t != NULL);
    n = gbstree_find(t, content);
    if (n == NULL)
        return 0;
    gbstree_unlink(t, n);
    gbstree_node_free(n);
    // mutant no-free: ;
    t->card--;
    return 1;
}

#endif
