/* The same with a cursor and the element before it. */
#include "relations.h"

static struct node *insert(struct node *list, int key)
{
    struct node *n = cons(key, NULL), *at = list, *before = NULL;

    while (at != NULL && MUTANT_1(1, at->key < key)) {
        before = at;
        at = at->next;
    }
    n->next = at;
    if (before == NULL)
        return n;
    MUTANT_2(n->key = 1000, (void)0);
    before->next = n;
    return list;
}

int main(void)
{
    struct node *list = NULL;

    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();

        if (key < INT_MAX)
            list = insert(list, key);
    }

    for (; list != NULL && list->next != NULL; list = list->next)
        assert(list->key <= list->next->key);
    return 0;
}
