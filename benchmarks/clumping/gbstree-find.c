/* Finds a number in a search tree whose leaves point back to the sentinel above the root; NULL if it is not there. */
#ifndef GBSTREE_FIND_C
#define GBSTREE_FIND_C

#include "gbstree.h"

/*@ requires t -> struct gbstree { sent: s, card: _ }
          * s -> struct gbstree_node { left: r, right: s, parent: s, content: _ } * gbstree_below(r, s, s);
    ensures t -> struct gbstree { sent: s, card: _ }
          * s -> struct gbstree_node { left: r, right: s, parent: s, content: _ } * gbstree_below(r, s, s); */
struct gbstree_node *gbstree_find(struct gbstree *t, int content)
{
    struct gbstree_node *n;
    int order;

    assert(t != NULL);
    n = gbstree_get_root(t);
    // mutant sentinel-lost (shape): n = gbstree_get_root(t); t->sent = n;
    while (n != t->sent) {
        order = gbstree_compare(n, content);
        if (order == 0)
            return n;
            // mutant freed-result: { gbstree_node_free(n); return n; }
        if (order < 0)
            n = gbstree_node_get_left(n);
            // mutant lost-left: { struct gbstree_node *o = n; n = n->left; o->left = t->sent; }
            // mutant null-leaf: { struct gbstree_node *o = n; n = n->left; if (n == t->sent) o->left = NULL; }
        else
            n = gbstree_node_get_right(n);
            // mutant parent-of-child (shape): { n = n->right; n->parent = n; }
            // mutant pulled-up: { n = n->right; t->sent->left = n; }
    }
    return NULL;
}

#endif
