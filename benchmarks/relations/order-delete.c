/* A number is deleted from a sorted list, which stays sorted. */
#include "relations.h"

static void insert(struct node **at, int key)
{
    while (*at != NULL && (*at)->key < key)
        at = &(*at)->next;
    *at = cons(key, *at);
}

static void delete(struct node **at, int key)
{
    while (*at != NULL && (*at)->key < key)
        at = &(*at)->next;
    if (*at != NULL && (*at)->key == key) {
        struct node *gone = *at;

        *at = gone->next;
        MUTANT_1(if (*at != NULL) (*at)->key = INT_MIN, (void)0);
        free(gone);
    }
}

int main(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();

        if (key == INT_MIN)
            break;
        insert(&list, key);
        if (__VERIFIER_nondet_int())
            delete(&list, __VERIFIER_nondet_int() | 1);
        MUTANT_2(if (list->next) list->key++, (void)0);
    }

    for (; list != NULL && list->next != NULL; list = list->next)
        assert(list->key <= list->next->key);
    return 0;
}
