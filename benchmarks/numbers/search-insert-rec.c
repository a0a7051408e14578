/* Adds a number to a search tree as a new leaf by recursion. */
#include "../clumping/bstree.h"

/*@ requires search(t, -2147483648, 2147483647);
    ensures search(\result, -2147483648, 2147483647); */
struct bstree *search_insert_rec(struct bstree *t, int data)
{
    if (t == NULL) {
        struct bstree *n = malloc(sizeof *n);

        if (n != NULL) {
            n->left = n->right = NULL;
            n->data = data;
        }
        return n;
    }
    if (data < t->data)
    // mutant wrong-comparison: if (data > t->data)
        t->left = search_insert_rec(t->left, data);
    else if (data > t->data)
    // mutant equal-ones-too: else
        t->right = search_insert_rec(t->right, data);
    return t;
}
