/* All elements are set to a number; then each is it. */
#include "relations.h"

int main(void)
{
    struct node *list = any_list(), *n;
    int k = __VERIFIER_nondet_int();

    for (n = list; n != NULL; n = n->next)
        n->key = MUTANT_1(n->next != NULL ? k : 0, k);
    MUTANT_2(if (list != NULL) list->key = 0, (void)0);
    for (n = list; n != NULL; n = n->next)
        assert(n->key == k);
    return 0;
}
