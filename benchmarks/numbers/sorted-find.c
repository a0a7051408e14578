/* Whether a sorted list has a number. */
#include "../clumping/psll.h"

/*@ requires sorted(list, -2147483648);
    ensures sorted(list, -2147483648); */
int sorted_find(struct psll *list, int value)
{
    while (list != NULL && list->value < value)
        list = list->next;
        // mutant raised-on-the-way: { list->value = 2147483647; list = list->next; }
    return list != NULL && list->value == value;
    // mutant lowered-where-it-ends: return list != NULL && (list->value = -2147483647) == value;
}
