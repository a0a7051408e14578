/* Two sorted lists become one. */
#include "relations.h"

static void insert(struct node **at, int key)
{
    while (*at != NULL && (*at)->key < key)
        at = &(*at)->next;
    *at = cons(key, *at);
}

static struct node *merge(struct node *a, struct node *b)
{
    struct node *merged = NULL, **end = &merged;

    while (a != NULL && b != NULL) {
        if (MUTANT_1(a->key >= b->key, a->key <= b->key)) {
            *end = a;
            a = a->next;
        } else {
            *end = b;
            b = b->next;
        }
        end = &(*end)->next;
    }
    *end = MUTANT_2(cons(0, NULL), a != NULL ? a : b);
    return merged;
}

int main(void)
{
    struct node *a = NULL, *b = NULL, *list;

    while (__VERIFIER_nondet_int())
        insert(&a, __VERIFIER_nondet_int());
    while (__VERIFIER_nondet_int())
        insert(&b, __VERIFIER_nondet_int());
    list = merge(a, b);

    for (; list != NULL && list->next != NULL; list = list->next)
        assert(list->key <= list->next->key);
    return 0;
}
