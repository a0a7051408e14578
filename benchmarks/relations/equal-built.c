/* A list of one number, which is not known. */
#include "relations.h"

int main(void)
{
    struct node *list = NULL, *n;
    int k = __VERIFIER_nondet_int();

    while (__VERIFIER_nondet_int())
        list = cons(MUTANT_1(k & ~1, k), list);
    MUTANT_2(k = k == 4 ? 5 : k, (void)0);
    for (n = list; n != NULL; n = n->next)
        assert(n->key == k);
    return 0;
}
