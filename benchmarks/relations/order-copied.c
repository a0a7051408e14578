/* A sorted list is copied: so is its order. */
#include "relations.h"

static void insert(struct node **at, int key)
{
    while (*at != NULL && (*at)->key < key)
        at = &(*at)->next;
    *at = cons(key, *at);
}

static struct node *copy(struct node *from)
{
    struct node *list = NULL, **end = &list;

    for (; from != NULL; from = from->next) {
        *end = cons(MUTANT_1(-from->key / 2, from->key), NULL);
        MUTANT_2(if (from->next == NULL) (*end)->key = 3, (void)0);
        end = &(*end)->next;
    }
    return list;
}

int main(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int())
        insert(&list, __VERIFIER_nondet_int());
    list = copy(list);

    for (; list != NULL && list->next != NULL; list = list->next)
        assert(list->key <= list->next->key);
    return 0;
}
