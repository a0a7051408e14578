/* Makes the root of a red-black tree black. */
#include "../clumping/brbtree.h"

/*@ requires black(t, null, 1, _);
    ensures black(t, null, 0, _); */
void black_blacken(struct rb_node *t)
{
    if (t != NULL)
        RB_COLOUR(t) = RB_BLACK;
        // mutant made-red: RB_COLOUR(t) = RB_RED;
        // mutant not-done: ;
}
