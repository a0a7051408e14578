/* Adds a number to a search tree whose leaves point back to the sentinel above the root. */
#ifndef GBSTREE_INSERT_C
#define GBSTREE_INSERT_C

#include "gbstree.h"

/* Hangs the new node `n` below `parent`. */
static void gbstree_attach(struct gbstree *t, struct gbstree_node *parent, struct gbstree_node *n)
{
    assert(t != NULL);
    assert(parent != NULL);
    assert(n != NULL);
    gbstree_node_set_parent(n, parent);
    // mutant no-parent (shape): ;
    // mutant wrong-parent (shape): gbstree_node_set_parent(n, n);
    if (parent == t->sent || gbstree_compare(parent, gbstree_node_get_content(n)) < 0)
    // mutant root-to-the-right: if (parent != t->sent && gbstree_compare(parent, gbstree_node_get_content(n)) < 0)
        gbstree_node_set_left(parent, n);
        // mutant lost-node: ;
    else
        gbstree_node_set_right(parent, n);
        // mutant wrong-side: gbstree_node_set_left(parent, n);
    t->card++;
}

/* Returns the node that has the content, the old one if there was one. */
/*@ requires t -> struct gbstree { sent: s, card: _ }
          * s -> struct gbstree_node { left: r, right: s, parent: s, content: _ } * gbstree_below(r, s, s)
          * result -> [4] { };
    ensures t -> struct gbstree { sent: s, card: _ }
          * s -> struct gbstree_node { left: r, right: s, parent: s, content: _ } * gbstree_below(r, s, s)
          * result -> [4] { @0:4: _ }; */
struct gbstree_node *gbstree_insert(struct gbstree *t, int content, enum gbstree_result *result)
{
    struct gbstree_node *parent, *n;
    int order;

    assert(t != NULL);
    assert(result != NULL);
    parent = t->sent;
    n = gbstree_get_root(t);
    while (n != t->sent) {
        order = gbstree_compare(n, content);
        if (order == 0) {
            *result = GBSTREE_FOUND;
            return n;
        }
        parent = n;
        if (order < 0)
            n = gbstree_node_get_left(n);
        else
            n = gbstree_node_get_right(n);
    }
    n = gbstree_node_alloc(t->sent, content);
    // mutant wrong-leaves (shape): n = gbstree_node_alloc(NULL, content);
    // mutant leaves-to-parent (shape): n = gbstree_node_alloc(parent, content);
    if (n == NULL) {
        *result = GBSTREE_NO_MEMORY;
        return NULL;
    }
    gbstree_attach(t, parent, n);
    *result = GBSTREE_INSERTED;
    return n;
}

#endif
