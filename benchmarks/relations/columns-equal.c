/* Two columns of a table agree. */
#include "relations.h"

struct row {
    struct row *next;
    int key, copy;
};

int main(void)
{
    struct row *table = NULL, *r;

    while (__VERIFIER_nondet_int()) {
        r = malloc(sizeof *r);
        if (r == NULL)
            return 0;
        r->key = __VERIFIER_nondet_int();
        r->copy = MUTANT_1(r->key & 0xffff, r->key);
        r->next = table;
        table = r;
    }
    MUTANT_2(if (table != NULL) table->key = 1, (void)0);
    for (r = table; r != NULL; r = r->next)
        assert(r->key == r->copy);
    return 0;
}
