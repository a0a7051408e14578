/* The maximum is known while the list is built. */
#include "relations.h"

int main(void)
{
    struct node *list = NULL;
    int most = INT_MIN;

    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();

        if (key > most)
            most = MUTANT_1(key - 1, key);
        MUTANT_2(if (key == 12) most = key, (void)0);
        list = cons(key, list);
    }
    for (; list != NULL; list = list->next)
        assert(list->key <= most);
    return 0;
}
