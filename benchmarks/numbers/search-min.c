/* The least number in a search tree, 0 if there is none. */
#include "../clumping/bstree.h"

/*@ requires search(root, -2147483648, 2147483647);
    ensures search(root, -2147483648, 2147483647); */
int search_min(struct bstree *root)
{
    if (root == NULL)
        return 0;
    while (root->left != NULL)
        root = root->left;
        // mutant lowered-on-the-way: { root->data = root->left->data; root = root->left; }
    return root->data;
    // mutant taken-over: return root->data = 2147483647;
}
