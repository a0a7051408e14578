/* Puts two sorted lists together by recursion, and returns the list of all elements. */
#include "../clumping/psll.h"

/*@ requires sorted(a, -2147483648) * sorted(b, -2147483648);
    ensures sorted(\result, -2147483648); */
struct psll *sorted_merge_rec(struct psll *a, struct psll *b)
{
    if (a == NULL)
        return b;
    if (b == NULL)
        return a;
    if (a->value <= b->value) {
    // mutant wrong-comparison: if (a->value >= b->value) {
    // mutant always-the-first: if (1) {
        a->next = sorted_merge_rec(a->next, b);
        return a;
    }
    b->next = sorted_merge_rec(a, b->next);
    return b;
}
