/* What is at least k is copied. */
#include "relations.h"

int main(void)
{
    struct node *list = any_list(), *kept = NULL;
    int k = __VERIFIER_nondet_int();

    for (; list != NULL; list = list->next)
        if (MUTANT_1(list->key != k, list->key >= k))
            kept = cons(MUTANT_2(list->key / 2, list->key), kept);
    for (; kept != NULL; kept = kept->next)
        assert(kept->key >= k);
    return 0;
}
