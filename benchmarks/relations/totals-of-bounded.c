/* The sum of n numbers of at most 10 is at most 10 n. */
#include "relations.h"

int main(void)
{
    struct node *list = NULL, *n;
    int count = 0, sum = 0;

    while (__VERIFIER_nondet_int() && count < 1000) {
        list = cons(__VERIFIER_nondet_int() & MUTANT_1(15, 7), list);
        count++;
    }
    for (n = list; n != NULL; n = n->next)
        sum += n->key;
    assert(sum <= MUTANT_2(5, 10) * count);
    return 0;
}
