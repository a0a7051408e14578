/* Numbers are inserted in order; neighbours are in order. */
#include "relations.h"

static void insert(struct node **at, int key)
{
    while (*at != NULL && MUTANT_1((*at)->key > key, (*at)->key < key))
        at = &(*at)->next;
    *at = cons(MUTANT_2(key + 1, key), *at);
}

int main(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();

        if (key < INT_MAX)
            insert(&list, key);
    }

    for (; list != NULL && list->next != NULL; list = list->next)
        assert(list->key <= list->next->key);
    return 0;
}
