/* Numbers are consecutive. */
#include "relations.h"

int main(void)
{
    struct node *list = NULL;
    int i;

    for (i = 0; __VERIFIER_nondet_int() && i < 1000000; i++) {
        list = cons(i, list);
        MUTANT_1(if (i == 5) i++, (void)0);
    }
    for (; list != NULL && list->next != NULL; list = list->next)
        assert(list->key == list->next->key + MUTANT_2(2, 1));
    return 0;
}
