/* What is popped from a sorted list never gets less. */
#include "relations.h"

static void insert(struct node **at, int key)
{
    while (*at != NULL && (*at)->key < key)
        at = &(*at)->next;
    *at = cons(key, *at);
}

int main(void)
{
    struct node *list = NULL;
    int last = MUTANT_2(0, INT_MIN);

    while (__VERIFIER_nondet_int())
        insert(&list, __VERIFIER_nondet_int());
    while (list != NULL) {
        struct node *n = list;

        assert(n->key MUTANT_1(>, >=) last);
        last = n->key;
        list = n->next;
        free(n);
    }
    return 0;
}
