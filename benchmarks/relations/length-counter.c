/* A counter says how long the list is. */
#include "relations.h"

int main(void)
{
    struct node *list = NULL;
    int count = 0;

    while (__VERIFIER_nondet_int() && count < 1000000) {
        list = cons(0, list);
        count MUTANT_1(= count < 2 ? count + 1 : 2, ++);
    }
    for (; list != NULL; list = list->next)
        count--;
    assert(count == MUTANT_2(1, 0));
    return 0;
}
