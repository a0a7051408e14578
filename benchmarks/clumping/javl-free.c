/* Frees an AVL tree without recursion or stack: right rotations turn it into a list on the way. */
#ifndef JAVL_FREE_C
#define JAVL_FREE_C

#include "javl.h"

/*@ requires tree -> struct javl { root: r, size: _ } * javl(r);
    ensures emp; */
void javl_free(struct javl *tree)
{
    struct javl_node *it = tree->root, *save;

    while (it != NULL) {
        if (it->link[0] == NULL) {
        // mutant no-left-check: if (1) {
        // mutant other-side: if (it->link[1] == NULL) {
            save = it->link[1];
            // mutant used-after-free: free(it); save = it->link[1]; it = malloc(1);
            free(it);
            // mutant no-free: ;
        } else {
            save = it->link[0];
            it->link[0] = save->link[1];
            // mutant half-a-rotation: it->link[0] = NULL;
            save->link[1] = it;
            // mutant lost-node: ;
        }
        it = save;
    }
    free(tree);
    // mutant tree-not-freed: ;
    // mutant freed-first: free(tree); free(tree->root);
}

#endif
