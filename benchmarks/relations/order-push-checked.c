/* A number is pushed unless the first one is less. */
#include "relations.h"

int main(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();

        if (list == NULL || MUTANT_1(list->key <= key, key <= list->key))
            list = cons(MUTANT_2(key < 0 ? -key : key, key), list);
    }

    for (; list != NULL && list->next != NULL; list = list->next)
        assert(list->key <= list->next->key);
    return 0;
}
