/* Where both children of a black node are red, they become black and the node red: the node above may have to follow. */
#include "../clumping/brbtree.h"

/*@ requires coloured(t, up, 0);
    ensures coloured(t, up, 1); */
void colour_flip(struct rb_node *t, struct rb_node *up)
{
    if (t == NULL || RB_LEFT(t) == NULL || RB_RIGHT(t) == NULL)
        return;
    if (RB_COLOUR(RB_LEFT(t)) == RB_RED && RB_COLOUR(RB_RIGHT(t)) == RB_RED) {
        RB_COLOUR(RB_LEFT(t)) = RB_BLACK;
        // mutant left-stays-red: ;
        RB_COLOUR(RB_RIGHT(t)) = RB_BLACK;
        // mutant right-stays-red: ;
        RB_COLOUR(t) = RB_RED;
    }
}
