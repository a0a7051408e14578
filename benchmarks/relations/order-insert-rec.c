/* The same by recursion. */
#include "relations.h"

static struct node *insert(struct node *list, int key)
{
    if (list == NULL || MUTANT_1(list->key <= key, key <= list->key))
        return cons(key, list);
    list->next = MUTANT_2(cons(key, list->next), insert(list->next, key));
    return list;
}

int main(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int())
        list = insert(list, __VERIFIER_nondet_int());

    for (; list != NULL && list->next != NULL; list = list->next)
        assert(list->key <= list->next->key);
    return 0;
}
