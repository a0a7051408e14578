/* Puts two sorted lists together, and returns the list of all elements. */
#include "../clumping/psll.h"

/*@ requires sorted(a, -2147483648) * sorted(b, -2147483648);
    ensures sorted(\result, -2147483648); */
struct psll *sorted_merge(struct psll *a, struct psll *b)
{
    struct psll *list = NULL, *last = NULL, *item;

    while (a != NULL && b != NULL) {
        if (a->value <= b->value) {
        // mutant wrong-comparison: if (a->value >= b->value) {
            item = a;
            a = a->next;
        } else {
            item = b;
            b = b->next;
        }
        if (last == NULL)
            list = item;
        else
            last->next = item;
        last = item;
        // mutant raised: { last = item; last->value = 2147483647; }
    }
    if (last == NULL)
        return a != NULL ? a : b;
    last->next = a != NULL ? a : b;
    return list;
}
