/* Finds a number in a search tree, and the node above it. */
#include "../clumping/bstree-find.c"

/*@ requires search(root, -2147483648, 2147483647) * above -> [8] { };
    ensures search(root, -2147483648, 2147483647) * above -> [8] { @0:8: _ }; */
struct bstree *search_find(struct bstree *root, int data, struct bstree **above)
{
    return bstree_find(root, data, above);
}
