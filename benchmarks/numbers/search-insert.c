/* Adds a number to a search tree as a new leaf. */
#include "../clumping/bstree.h"

/*@ requires search(root, -2147483648, 2147483647);
    ensures search(\result, -2147483648, 2147483647); */
struct bstree *search_insert(struct bstree *root, int data)
{
    struct bstree *n, *at, *next;

    n = malloc(sizeof *n);
    if (n == NULL)
        return root;
    n->left = n->right = NULL;
    n->data = data;
    if (root == NULL)
        return n;
    for (at = root;; at = next) {
        if (data == at->data) {
            free(n);
            return root;
        }
        next = data < at->data ? at->left : at->right;
        // mutant wrong-way-down: next = data > at->data ? at->left : at->right;
        if (next == NULL)
            break;
    }
    if (data < at->data)
        at->left = n;
    else
        at->right = n;
        // mutant wrong-number: { at->right = n; n->data = at->data; }
    return root;
}
