/* Removes the first of the least and the first of the greatest elements of a list; these may be one. */
#ifndef SLL_DELMINMAX_C
#define SLL_DELMINMAX_C

#include "sll.h"

/*@ requires sll(l, null);
    ensures sll(\result, null); */
struct sll *sll_delminmax(struct sll *l)
{
    struct sll *min, *min_prev, *max, *max_prev, *prev, *cur;

    if (l == NULL)
    // mutant no-empty-check: if (0)
        return NULL;
    min = max = l;
    min_prev = max_prev = NULL;
    prev = l;
    cur = l->next;
    while (cur != NULL) {
        if (cur->data < min->data) {
            min = cur;
            min_prev = prev;
        } else if (cur->data > max->data) {
            max = cur;
            max_prev = prev;
            // mutant previous-of-maximum: max_prev = cur;
        }
        prev = cur;
        cur = cur->next;
    }
    if (min_prev == NULL)
        l = min->next;
    else
        min_prev->next = min->next;
        // mutant minimum-not-unlinked: ;
    if (max != min) {
    // mutant twice-the-same: {
        /* The node before the maximum may be the one that was just taken out. */
        if (max_prev == min)
        // mutant adjacent: if (0)
            max_prev = min_prev;
        if (max_prev == NULL)
        // mutant no-head-case: if (0)
            l = max->next;
        else
            max_prev->next = max->next;
            // mutant lost-rest: max_prev->next = NULL;
        free(max);
        // mutant maximum-not-freed: ;
    }
    free(min);
    return l;
}

#endif
