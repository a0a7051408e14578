/* Rows are sorted, and so are their items. */
#include "relations.h"

struct row {
    struct row *next;
    struct node *items;
};

static void insert(struct node **at, int key)
{
    while (*at != NULL && MUTANT_1((*at)->key > key, (*at)->key < key))
        at = &(*at)->next;
    *at = cons(key, *at);
}

int main(void)
{
    struct row *rows = NULL;

    while (__VERIFIER_nondet_int()) {
        struct row *r = malloc(sizeof *r);

        if (r == NULL)
            return 0;
        r->items = NULL;
        while (__VERIFIER_nondet_int())
            insert(&r->items, __VERIFIER_nondet_int());
        r->next = rows;
        rows = r;
    }
    for (; rows != NULL; rows = rows->next)
        for (struct node *n = rows->items; n != NULL && n->next != NULL; n = n->next)
            assert(n->key MUTANT_2(<, <=) n->next->key);
    return 0;
}
