/* Takes the first element with a number out of a sorted list, and returns the list. */
#include "../clumping/psll.h"

/*@ requires sorted(list, -2147483648);
    ensures sorted(\result, -2147483648); */
struct psll *sorted_delete(struct psll *list, int value)
{
    struct psll *prev = NULL, *at = list;

    while (at != NULL && at->value < value) {
        prev = at;
        // mutant neighbour-raised: { prev = at; at->value = 2147483647; }
        at = at->next;
    }
    if (at == NULL || at->value != value)
        return list;
    if (prev == NULL) {
        list = at->next;
        // mutant next-lowered: { list = at->next; if (list && list->next) list->next->value = value - 1; }
    } else {
        prev->next = at->next;
    }
    free(at);
    return list;
}
