/* Adds a number to an AVL tree. */
#include "../clumping/javl-insert.c"

/*@ requires tree -> struct javl { root: r, size: _ } * high(r, _);
    ensures tree -> struct javl { root: r, size: _ } * high(r, _); */
int height_insert(struct javl *tree, int data)
{
    return javl_insert(tree, data);
}
