/* Adds a number to a sorted list at its place by recursion, and returns the list. */
#include "../clumping/psll.h"

/*@ requires sorted(list, -2147483648);
    ensures sorted(\result, -2147483648); */
struct psll *sorted_insert_rec(struct psll *list, int value)
{
    if (list == NULL || value <= list->value) {
    // mutant wrong-comparison: if (list == NULL || value >= list->value) {
    // mutant always-in-front: if (1) {
        struct psll *item = malloc(sizeof *item);

        if (item == NULL)
            return list;
        item->value = value;
        item->next = list;
        return item;
    }
    list->next = sorted_insert_rec(list->next, value);
    return list;
}
