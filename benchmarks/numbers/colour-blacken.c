/* Makes the root of a red-black tree black. */
#include "../clumping/brbtree.h"

/*@ requires coloured(t, null, 1);
    ensures coloured(t, null, 0); */
void colour_blacken(struct rb_node *t)
{
    if (t != NULL)
        RB_COLOUR(t) = RB_BLACK;
        // mutant made-red: RB_COLOUR(t) = RB_RED;
        // mutant not-done: ;
}
