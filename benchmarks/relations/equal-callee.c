/* The same through functions. */
#include "relations.h"

static void fill(struct node *n, int k)
{
    for (; n != NULL; n = n->next)
        n->key = k MUTANT_1(+ (n->key == 1), );
}

static void check(struct node *n, int k)
{
    for (; n != NULL; n = n->next)
        assert(n->key == k);
}

int main(void)
{
    struct node *list = any_list();
    int k = __VERIFIER_nondet_int();

    if (k == INT_MAX)
        return 0;
    fill(list, k);
    check(list, MUTANT_2(k + 1, k));
    return 0;
}
