/* Removes the first of the least elements of a list. */
#ifndef SLL_DELMIN_C
#define SLL_DELMIN_C

#include "sll.h"

/*@ requires sll(l, null);
    ensures sll(\result, null); */
struct sll *sll_delmin(struct sll *l)
{
    struct sll *min, *min_prev, *prev, *cur;

    if (l == NULL)
    // mutant no-empty-check: if (0)
        return NULL;
    min = l;
    min_prev = NULL;
    prev = l;
    cur = l->next;
    while (cur != NULL) {
        if (cur->data < min->data) {
            min = cur;
            min_prev = prev;
            // mutant stale-previous: min_prev = l;
        }
        prev = cur;
        // mutant previous-not-moved: ;
        cur = cur->next;
    }
    if (min_prev == NULL)
    // mutant no-head-case: if (0)
        l = min->next;
        // mutant head-kept: ;
    else
        min_prev->next = min->next;
        // mutant lost-rest: min_prev->next = NULL;
    free(min);
    // mutant no-free: ;
    return l;
}

#endif
