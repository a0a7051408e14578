/* Finds a number in an AVL tree: a pointer to it, NULL if it is not there. */
#ifndef JAVL_FIND_C
#define JAVL_FIND_C

#include "javl.h"

/*@ requires tree -> struct javl { root: r, size: _ } * javl(r);
    ensures tree -> struct javl { root: r, size: _ } * javl(r); */
int *javl_find(struct javl *tree, int data)
{
    struct javl_node *it = tree->root;

    while (it != NULL) {
    // mutant no-end-check: while (1) {
        int order = javl_compare(it, data);

        if (order == 0)
            break;
        it = it->link[order < 0];
        // mutant beyond-the-links: it = it->link[order];
        // mutant two-steps: it = it->link[order < 0]->link[0];
        // mutant cut-off: { struct javl_node *o = it; it = it->link[order < 0]; o->link[0] = NULL; }
        // mutant freed-on-the-way: { struct javl_node *o = it; it = it->link[order < 0]; free(o); }
        // mutant pulled-up: { it = it->link[order < 0]; tree->root = it; }
        // mutant leaning-on-the-way (numbers, balances, heights): { it->balance = 2; it = it->link[order < 0]; }
    }
    return it == NULL ? NULL : &it->data;
    // mutant leaning-where-found (numbers, balances, heights): { if (it != NULL) it->balance = -2; return it == NULL ? NULL : &it->data; }
}

#endif
