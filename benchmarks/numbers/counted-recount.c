/* Counts the elements of a list again. */
#include "counted.h"

/*@ requires c -> struct counted { first: f, count: _ } * sized(f, k) && k < 1000000;
    ensures c -> struct counted { first: f, count: k } * sized(f, k); */
void counted_recount(struct counted *c)
{
    struct psll *item;
    long count = 0;

    for (item = c->first; item != NULL; item = item->next)
        count++;
        // mutant counted-by-value: count += item->value > 0;
    c->count = count;
    // mutant one-less: c->count = count - 1;
}
