/* All elements of a row are at least the key of the row. */
#include "relations.h"

struct row {
    struct row *next;
    struct node *items;
    int key;
};

int main(void)
{
    struct row *rows = NULL;

    while (__VERIFIER_nondet_int()) {
        struct row *r = malloc(sizeof *r);

        if (r == NULL)
            return 0;
        r->key = __VERIFIER_nondet_int();
        r->items = NULL;
        while (__VERIFIER_nondet_int()) {
            int item = __VERIFIER_nondet_int();

            if (MUTANT_1(item != r->key, item >= r->key))
                r->items = cons(item, r->items);
        }
        r->next = rows;
        rows = r;
    }
    for (; rows != NULL; rows = rows->next)
        for (struct node *n = rows->items; n != NULL; n = n->next)
            assert(n->key MUTANT_2(>, >=) rows->key);
    return 0;
}
