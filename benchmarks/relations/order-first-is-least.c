/* The first number of a sorted list is the least. */
#include "relations.h"

static void insert(struct node **at, int key)
{
    while (*at != NULL && (*at)->key < key)
        at = &(*at)->next;
    *at = cons(key, *at);
}

int main(void)
{
    struct node *list = NULL;
    int first;

    while (__VERIFIER_nondet_int())
        insert(&list, __VERIFIER_nondet_int());
    if (list == NULL)
        return 0;
    first = list->key;
    MUTANT_2(if (first < INT_MAX) first++, (void)0);
    for (; list != NULL; list = list->next)
        assert(first MUTANT_1(<, <=) list->key || list->key == INT_MIN);
    return 0;
}
