/* The first three elements of a summarised list in ascending order are looked at. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void) {
    struct node *list = NULL;
    int value = 100;
    for (int i = 0; i < 6 && value > 0; i++) {
        int by = __VERIFIER_nondet_int();
        if (by < 1 || by > 10)
            by = 1;
        value = value - by;
        struct node *fresh = malloc(sizeof *fresh);
        fresh->value = value;
        fresh->next = list;
        list = fresh;
    }
    if (list == NULL || list->next == NULL || list->next->next == NULL)
        return 0;
    struct node *second = list->next;
    struct node *third = second->next;
    assert(list->value < second->value);
    assert(second->value < third->value);
    return 0;
}
