/* Adds a number to the front of a list whose numbers have bounds, unless it is out of bounds. */
#include "../clumping/psll.h"

/*@ requires bounded(list, low, high);
    ensures bounded(\result, low, high); */
struct psll *bounded_insert(struct psll *list, int low, int high, int value)
{
    if (value < low || value > high)
    // mutant wrong-comparison: if (value < low || value < high)
    // mutant both: if (value < low && value > high)
        return list;
    psll_insert(&list, value);
    return list;
}
