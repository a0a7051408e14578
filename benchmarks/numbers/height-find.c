/* Finds a number in an AVL tree. */
#include "../clumping/javl-find.c"

/*@ requires tree -> struct javl { root: r, size: _ } * high(r, _);
    ensures tree -> struct javl { root: r, size: _ } * high(r, _); */
int *height_find(struct javl *tree, int data)
{
    return javl_find(tree, data);
}
