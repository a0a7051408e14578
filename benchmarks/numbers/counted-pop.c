/* Takes the first element out of a list that knows its length. */
#include "counted.h"

/*@ requires c -> struct counted { first: f, count: k } * sized(f, k);
    ensures c -> struct counted { first: f, count: k } * sized(f, k); */
void counted_pop(struct counted *c)
{
    struct psll *item = c->first;

    if (c->count == 0)
        return;
    c->first = item->next;
    c->count--;
    // mutant not-counted: ;
    // mutant set-to-zero: c->count = 0;
    free(item);
}
