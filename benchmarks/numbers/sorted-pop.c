/* Takes the first element out of a sorted list, and returns the list. */
#include "../clumping/psll.h"

/*@ requires sorted(list, -2147483648);
    ensures sorted(\result, -2147483648); */
struct psll *sorted_pop(struct psll *list)
{
    struct psll *rest;

    if (list == NULL)
        return NULL;
    rest = list->next;
    // mutant pushed-down: { rest = list->next; if (rest) { rest->value = list->value; list->value--; if (rest->next) rest->next->value = list->value; } }
    // mutant raised: { rest = list->next; if (rest) rest->value = 2147483647; }
    free(list);
    return rest;
}
