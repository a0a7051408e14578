/* Sorts a list by exchanging neighbours. */
#ifndef PSLL_BSORT_C
#define PSLL_BSORT_C

#include "psll.h"

/*@ requires list -> [8] { @0:8: p } * psll(p);
    ensures list -> [8] { @0:8: p } * psll(p); */
void psll_bsort(struct psll **list)
{
    int exchanged;

    do {
        struct psll *prev = NULL, *item = *list;

        exchanged = 0;
        while (item && item->next) {
        // mutant no-empty-check: while (item->next) {
        // mutant no-end-check: while (item) {
            struct psll *next = item->next;

            if (item->value > next->value) {
            // mutant only-positive-ones (numbers, order): if (item->value > next->value && item->value > 3) {
                item->next = next->next;
                // mutant lost-tail: item->next = NULL;
                next->next = item;
                // mutant lost-left: next->next = item->next;
                if (prev)
                // mutant no-head-case: if (1)
                    prev->next = next;
                    // mutant lost-right: ;
                else
                    *list = next;
                    // mutant head-kept: ;
                prev = next;
                exchanged = 1;
                // mutant stops-early (numbers, order): exchanged = 0;
            } else {
                prev = item;
                item = next;
            }
        }
    } while (exchanged);
}

#endif
