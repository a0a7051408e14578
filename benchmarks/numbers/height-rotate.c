/* Turns the edge between the root of an AVL tree and its right child where both lean to the right by one. */
#include "../clumping/javl.h"

/*@ requires t -> struct javl_node { balance: 2, data: _, link[0]: l, link[1]: r } * high(l, h) * high(r, h + 2) && h >= 0;
    ensures high(\result, _) | \result == t && t -> struct javl_node { balance: 2, data: _, link[0]: l, link[1]: r } * high(l, _) * high(r, _); */
struct javl_node *height_rotate(struct javl_node *t)
{
    struct javl_node *up = t->link[1];

    if (up->balance != 1)
        return t;
    t->link[1] = up->link[0];
    up->link[0] = t;
    t->balance = 0;
    // mutant still-leaning: t->balance = 1;
    up->balance = 0;
    // mutant leans-to-the-left: up->balance = -1;
    return up;
}
