/* A list is divided at a number. */
#include "relations.h"

int main(void)
{
    struct node *list = any_list(), *less = NULL, *rest = NULL;
    int pivot = __VERIFIER_nondet_int();

    while (list != NULL) {
        struct node *n = list;

        list = n->next;
        if (MUTANT_1(n->key <= pivot, n->key < pivot)) {
            n->next = less;
            less = n;
        } else {
            n->next = rest;
            rest = n;
        }
    }
    for (; less != NULL; less = less->next)
        assert(less->key < pivot);
    for (; rest != NULL; rest = rest->next)
        assert(rest->key MUTANT_2(>, >=) pivot);
    return 0;
}
