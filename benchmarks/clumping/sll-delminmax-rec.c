/* Removes the first of the least and the first of the greatest elements of a list, which a recursive function looks
 * for. */
#ifndef SLL_DELMINMAX_REC_C
#define SLL_DELMINMAX_REC_C

#include "sll.h"

struct sll_extremes {
    struct sll *min, *min_prev;
    struct sll *max, *max_prev;
};

/* Extends what is known of the list up to `prev` to the end of the list. */
static void sll_search_extremes(struct sll_extremes *found, struct sll *prev)
{
    struct sll *cur = prev->next;

    if (cur == NULL)
    // mutant no-end-check: if (0)
        return;
    if (cur->data < found->min->data) {
        found->min = cur;
        found->min_prev = prev;
        // mutant previous-not-recorded: ;
    } else if (cur->data > found->max->data) {
        found->max = cur;
        found->max_prev = prev;
    }
    sll_search_extremes(found, cur);
}

/*@ requires sll(l, null);
    ensures sll(\result, null); */
struct sll *sll_delminmax_rec(struct sll *l)
{
    struct sll_extremes found;

    if (l == NULL)
    // mutant no-empty-check: if (0)
        return NULL;
    found.min = found.max = l;
    found.min_prev = found.max_prev = NULL;
    sll_search_extremes(&found, l);
    if (found.min_prev == NULL)
        l = found.min->next;
    else
        found.min_prev->next = found.min->next;
        // mutant lost-rest: found.min_prev->next = NULL;
    if (found.max != found.min) {
    // mutant twice-the-same: {
        /* The node before the maximum may be the one that was just taken out. */
        if (found.max_prev == found.min)
            found.max_prev = found.min_prev;
            // mutant adjacent: ;
        if (found.max_prev == NULL)
            l = found.max->next;
            // mutant head-kept: ;
        else
            found.max_prev->next = found.max->next;
        free(found.max);
    }
    free(found.min);
    // mutant minimum-not-freed: ;
    return l;
}

#endif
