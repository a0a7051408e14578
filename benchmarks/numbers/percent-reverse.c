/* Reverses a list of numbers between 0 and 100. */
#include "../clumping/psll.h"

/*@ requires percent(list);
    ensures percent(\result); */
struct psll *percent_reverse(struct psll *list)
{
    struct psll *done = NULL, *next;

    while (list != NULL) {
        next = list->next;
        list->next = done;
        // mutant raised: { list->next = done; list->value++; }
        done = list;
        // mutant lowered: { done = list; if (next) next->value = -1; }
        list = next;
    }
    return done;
}
