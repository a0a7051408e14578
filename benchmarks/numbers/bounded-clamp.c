/* Brings all numbers of a list between two bounds. */
#include "../clumping/psll.h"

/*@ requires psll(list) && low <= high;
    ensures bounded(list, low, high); */
void bounded_clamp(struct psll *list, int low, int high)
{
    for (; list != NULL; list = list->next) {
        if (list->value < low)
        // mutant wrong-comparison: if (list->value > low)
            list->value = low;
            // mutant wrong-bound: list->value = 0;
        else if (list->value > high)
            list->value = high;
    }
}
