/* Brings all numbers of a list into the range from 0 to 100. */
#include "../clumping/psll.h"

/*@ requires psll(list);
    ensures percent(list); */
void percent_clamp(struct psll *list)
{
    for (; list != NULL; list = list->next) {
        if (list->value < 0)
        // mutant wrong-comparison: if (list->value > 0)
            list->value = 0;
            // mutant not-enough: list->value++;
        else if (list->value > 100)
            list->value = 100;
    }
}
