/* Each number that is pushed is greater than the one before: from the last one on they descend. */
#include "relations.h"

int main(void)
{
    struct node *list = NULL;
    int last = 0;

    while (__VERIFIER_nondet_int() && last < 1000) {
        list = cons(last, list);
        last += MUTANT_1(__VERIFIER_nondet_int() ? -1 : 1, __VERIFIER_nondet_int() ? 2 : 1);
    }
    for (; list != NULL && list->next != NULL; list = list->next)
        assert(list->key MUTANT_2(> 1 +, >) list->next->key);
    return 0;
}
