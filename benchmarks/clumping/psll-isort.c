/* Sorts a list by insertion into a new one. */
#ifndef PSLL_ISORT_C
#define PSLL_ISORT_C

#include "psll.h"

/*@ requires list -> [8] { @0:8: p } * psll(p);
    ensures list -> [8] { @0:8: p } * psll(p); */
void psll_isort(struct psll **list)
{
    struct psll *sorted = NULL, *rest = *list;

    while (rest) {
        struct psll *item = rest, *at;

        rest = item->next;
        if (!sorted || item->value <= sorted->value) {
        // mutant no-empty-check: if (item->value <= sorted->value) {
        // mutant always-in-front (numbers, order): if (1) {
            item->next = sorted;
            // mutant lost-sorted: item->next = NULL;
            sorted = item;
            // mutant dropped-front: ;
        } else {
            at = sorted;
            while (at->next && at->next->value < item->value)
            // mutant no-end-check: while (at->next->value < item->value)
            // mutant wrong-comparison (numbers, order): while (at->next && at->next->value > item->value)
                at = at->next;
            item->next = at->next;
            // mutant lost-tail: item->next = NULL;
            // mutant tail-of-input: item->next = rest;
            at->next = item;
            // mutant dropped-middle: ;
        }
    }
    *list = sorted;
    // mutant head-kept: ;
}

#endif
