/* Two columns are updated together. */
#include "relations.h"

struct row {
    struct row *next;
    int key, copy;
};

static struct row *table(void)
{
    struct row *all = NULL;

    while (__VERIFIER_nondet_int()) {
        struct row *r = malloc(sizeof *r);

        if (r == NULL)
            exit(1);
        r->key = r->copy = 0;
        r->next = all;
        all = r;
    }
    return all;
}

static void set(struct row *r, int at, int value)
{
    for (; r != NULL; r = r->next)
        if (at-- == 0) {
            r->key = value;
            MUTANT_1(if (value > 0), ) r->copy = value;
        }
}

int main(void)
{
    struct row *all = table(), *r;

    while (__VERIFIER_nondet_int())
        set(all, __VERIFIER_nondet_int() & 63, __VERIFIER_nondet_int());
    for (r = all; r != NULL; r = r->next)
        assert(r->copy == r->key MUTANT_2(&& r->key == 0, ));
    return 0;
}
