/* Adds a number to a sorted list at its place, and returns the list. */
#include "../clumping/psll.h"

/*@ requires sorted(list, -2147483648);
    ensures sorted(\result, -2147483648); */
struct psll *sorted_insert(struct psll *list, int value)
{
    struct psll *item, *at;

    item = malloc(sizeof *item);
    if (item == NULL)
        return list;
    item->value = value;
    if (list == NULL || value <= list->value) {
    // mutant always-in-front: if (1) {
        item->next = list;
        return item;
    }
    at = list;
    while (at->next != NULL && at->next->value < value)
    // mutant wrong-comparison: while (at->next != NULL && at->next->value > value)
    // mutant one-too-far: while (at->next != NULL && at->value < value)
        at = at->next;
    item->next = at->next;
    at->next = item;
    return list;
}
