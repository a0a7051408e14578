/* Numbers are consecutive, and the last one is 0. */
#include "relations.h"

int main(void)
{
    struct node *list = NULL;
    int i = 0;

    while (__VERIFIER_nondet_int() && i < 1000000) {
        list = cons(i, list);
        i += MUTANT_1(1 + (i == 3), 1);
    }
    while (list != NULL) {
        i--;
        assert(list->key == i);
        list = list->next;
        MUTANT_2(i -= list != NULL && list->key == 2, (void)0);
    }
    return 0;
}
