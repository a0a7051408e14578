/* Reverses a list that knows its length. */
#include "counted.h"

/*@ requires c -> struct counted { first: f, count: k } * sized(f, k);
    ensures c -> struct counted { first: f, count: k } * sized(f, k); */
void counted_reverse(struct counted *c)
{
    struct psll *done = NULL, *next, *item = c->first;

    while (item != NULL) {
        next = item->next;
        item->next = done;
        // mutant counted-again: { item->next = done; c->count++; }
        done = item;
        item = next;
    }
    c->first = done;
    // mutant first-dropped: { c->first = done ? done->next : done; free(done); }
}
