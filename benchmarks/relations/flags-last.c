/* A flag says whether an element is the last one. */
#include "relations.h"

int main(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int())
        list = cons(MUTANT_1(1, list == NULL), list);
    for (; list != NULL; list = list->next) {
        if (list->key)
            assert(list->next == NULL);
        else
            assert(list->next MUTANT_2(== NULL, != NULL));
    }
    return 0;
}
