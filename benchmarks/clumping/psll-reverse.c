/* Turns a list round in place. */
#ifndef PSLL_REVERSE_C
#define PSLL_REVERSE_C

#include "psll.h"

/*@ requires list -> [8] { @0:8: p } * psll(p);
    ensures list -> [8] { @0:8: p } * psll(p); */
void psll_reverse(struct psll **list)
{
    struct psll *done = NULL, *item = *list;

    while (item) {
        struct psll *next = item->next;

        item->next = done;
        // mutant lost-reversed: item->next = NULL;
        // mutant tied-to-itself (shape): item->next = item;
        done = item;
        // mutant not-advanced: ;
        item = next;
        // mutant two-steps: item = next->next;
    }
    *list = done;
    // mutant head-kept: ;
    // mutant wrong-end: *list = item;
}

#endif
