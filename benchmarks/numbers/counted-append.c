/* Moves all elements of one list to the end of another; both know their lengths. */
#include "counted.h"

/*@ requires a -> struct counted { first: f, count: k } * sized(f, k) && k < 1000000
          * b -> struct counted { first: g, count: m } * sized(g, m) && m < 1000000;
    ensures a -> struct counted { first: f, count: k } * sized(f, k)
          * b -> struct counted { first: null, count: 0 }; */
void counted_append(struct counted *a, struct counted *b)
{
    struct psll *last = a->first;

    if (last == NULL) {
        a->first = b->first;
    } else {
        while (last->next != NULL)
            last = last->next;
        last->next = b->first;
    }
    a->count += b->count;
    // mutant only-the-second: a->count = b->count;
    // mutant not-added: ;
    b->first = NULL;
    b->count = 0;
}
