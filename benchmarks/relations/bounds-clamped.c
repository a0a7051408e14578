/* Numbers are moved between two bounds. */
#include "relations.h"

int main(void)
{
    struct node *list = any_list(), *n;
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();

    if (low > high)
        return 0;
    for (n = list; n != NULL; n = n->next) {
        if (n->key < low)
            n->key = low;
        if (MUTANT_1(n->key - 1 > high, n->key > high))
            n->key = MUTANT_2(low == 0 ? -1 : high, high);
    }
    for (n = list; n != NULL; n = n->next)
        assert(low <= n->key && n->key <= high);
    return 0;
}
