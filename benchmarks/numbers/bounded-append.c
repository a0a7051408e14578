/* Hangs a list to the end of another with the same bounds. */
#include "../clumping/psll.h"

/*@ requires bounded(a, low, high) * bounded(b, low, high);
    ensures bounded(\result, low, high); */
struct psll *bounded_append(struct psll *a, struct psll *b, int low, int high)
{
    struct psll *last = a;

    if (a == NULL)
        return b;
    while (last->next != NULL)
        last = last->next;
        // mutant bound-as-value: { last = last->next; last->value = high > 0 ? 0 : high; }
    last->next = b;
    // mutant out-of-bounds: { last->next = b; if (low > -2147483648) last->value = low - 1; }
    return a;
}
