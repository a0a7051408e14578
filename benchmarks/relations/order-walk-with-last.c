/* A sorted list is walked; the number before is kept in a variable. */
#include "relations.h"

static void insert(struct node **at, int key)
{
    while (*at != NULL && MUTANT_1((*at)->key <= key && key, (*at)->key < key))
        at = &(*at)->next;
    *at = cons(key, *at);
}

int main(void)
{
    struct node *list = NULL;
    int low = MUTANT_2(0, INT_MIN);

    while (__VERIFIER_nondet_int())
        insert(&list, __VERIFIER_nondet_int());
    for (; list != NULL; list = list->next) {
        assert(low <= list->key);
        low = list->key;
    }
    return 0;
}
