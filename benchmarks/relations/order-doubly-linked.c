/* A doubly-linked list is sorted in both directions. */
#include "relations.h"

struct both {
    struct both *next, *prev;
    int key;
};

static struct both *insert(struct both *list, int key)
{
    struct both *n = malloc(sizeof *n), *at = list, *before = NULL;

    if (n == NULL)
        exit(1);
    n->key = key;
    while (at != NULL && MUTANT_1(at->key > key, at->key < key)) {
        before = at;
        at = at->next;
    }
    n->next = at;
    n->prev = before;
    if (at != NULL)
        at->prev = n;
    if (before == NULL)
        return n;
    before->next = n;
    return list;
}

int main(void)
{
    struct both *list = NULL;

    while (__VERIFIER_nondet_int())
        list = insert(list, __VERIFIER_nondet_int());
    for (; list != NULL && list->next != NULL; list = list->next)
        assert(list->key MUTANT_2(<, <=) list->next->key);
    return 0;
}
