/* Numbers that ascend are appended at the end. */
#include "relations.h"

int main(void)
{
    struct node *list = NULL, *last = NULL;
    int key = 0;

    while (__VERIFIER_nondet_int() && key < 1000000) {
        struct node *n = cons(key, NULL);

        if (last == NULL)
            list = n;
        else
            last->next = n;
        last = n;
        key MUTANT_1(= 3 - key, += 3);
        MUTANT_2(list->key = key + 1, (void)0);
    }

    for (; list != NULL && list->next != NULL; list = list->next)
        assert(list->key <= list->next->key);
    return 0;
}
