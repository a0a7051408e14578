/* Adds an element to a list that knows its length. */
#include "counted.h"

/*@ requires c -> struct counted { first: f, count: k } * sized(f, k) && k < 1000000;
    ensures c -> struct counted { first: f, count: k } * sized(f, k); */
void counted_push(struct counted *c, int value)
{
    struct psll *item = malloc(sizeof *item);

    if (item == NULL)
        return;
    item->value = value;
    item->next = c->first;
    c->first = item;
    c->count++;
    // mutant not-counted: ;
    // mutant counted-twice: c->count += 2;
}
