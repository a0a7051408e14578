/* Takes all numbers that are not between 0 and 100 out of a list, and returns it. */
#include "../clumping/psll.h"

/*@ requires psll(list);
    ensures percent(\result); */
struct psll *percent_filter(struct psll *list)
{
    struct psll *prev = NULL, *at = list, *next;

    while (at != NULL) {
        next = at->next;
        if (at->value >= 0 && at->value <= 100) {
        // mutant either: if (at->value >= 0 || at->value <= 100) {
        // mutant only-from-below: if (at->value >= 0) {
            prev = at;
        } else {
            if (prev == NULL)
                list = next;
            else
                prev->next = next;
            free(at);
        }
        at = next;
    }
    return list;
}
