/* Removes the first of the least elements of a list, which a recursive function looks for. */
#ifndef SLL_DELMIN_REC_C
#define SLL_DELMIN_REC_C

#include "sll.h"

struct sll_least {
    struct sll *min, *min_prev;
};

/* Extends what is known of the list up to `prev` to the end of the list. */
static void sll_search_min(struct sll_least *least, struct sll *prev)
{
    struct sll *cur = prev->next;

    if (cur == NULL)
    // mutant no-end-check: if (0)
        return;
    if (cur->data < least->min->data) {
        least->min = cur;
        least->min_prev = prev;
        // mutant previous-not-recorded: ;
    }
    sll_search_min(least, cur);
}

/*@ requires sll(l, null);
    ensures sll(\result, null); */
struct sll *sll_delmin_rec(struct sll *l)
{
    struct sll_least least;

    if (l == NULL)
    // mutant no-empty-check: if (0)
        return NULL;
    least.min = l;
    least.min_prev = NULL;
    // mutant wrong-previous: least.min_prev = l;
    sll_search_min(&least, l);
    if (least.min_prev == NULL)
    // mutant no-head-case: if (0)
        l = least.min->next;
    else
        least.min_prev->next = least.min->next;
        // mutant not-unlinked: ;
    free(least.min);
    // mutant no-free: ;
    return l;
}

#endif
