/* Minimum and maximum together. */
#include "relations.h"

int main(void)
{
    struct node *list = NULL;
    int least = INT_MAX, most = INT_MIN;

    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();

        if (key < least)
            least = key;
        MUTANT_1(else, ) if (key > most)
            most = key;
        list = cons(key, list);
    }
    for (; list != NULL; list = list->next)
        assert(least MUTANT_2(<, <=) list->key && list->key <= most);
    return 0;
}
