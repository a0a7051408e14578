/* The first three elements of a summarised list of consecutive numbers are looked at. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void) {
    struct node *list = NULL;
    for (int i = 6; i > 0; i--) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->value = i;
        fresh->next = list;
        list = fresh;
    }
    if (list == NULL || list->next == NULL || list->next->next == NULL)
        return 0;
    struct node *second = list->next;
    struct node *third = second->next;
    assert(second->value == list->value + 1);
    assert(third->value == second->value + 1);
    return 0;
}
