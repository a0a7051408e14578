/* A sorted list is reversed: it descends. */
#include "relations.h"

static void insert(struct node **at, int key)
{
    while (*at != NULL && (*at)->key < key)
        at = &(*at)->next;
    *at = cons(key, *at);
}

int main(void)
{
    struct node *list = NULL, *back = NULL;

    while (__VERIFIER_nondet_int())
        insert(&list, __VERIFIER_nondet_int());
    while (list != NULL) {
        struct node *n = list;

        list = n->next;
        n->next = back;
        MUTANT_2(if (n->key == 7) n->key = 5, (void)0);
        back = n;
    }
    for (; back != NULL && back->next != NULL; back = back->next)
        assert(back->key MUTANT_1(>, >=) back->next->key);
    return 0;
}
