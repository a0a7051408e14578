/* Finds a number in an AVL tree. */
#include "../clumping/javl-find.c"

/*@ requires tree -> struct javl { root: r, size: _ } * balanced(r);
    ensures tree -> struct javl { root: r, size: _ } * balanced(r); */
int *balance_find(struct javl *tree, int data)
{
    return javl_find(tree, data);
}
