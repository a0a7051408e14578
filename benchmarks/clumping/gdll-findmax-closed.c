#include "closed.h"
#include "gdll-findmax.c"

int main(void)
{
    struct gdll *l = gdll_alloc();
    struct gdll_node *n;

    if (l == NULL)
        return 1;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            gdll_insert_head(l, __VERIFIER_nondet_int());
        else
            gdll_insert_tail(l, __VERIFIER_nondet_int());
    }
    REPEAT(
        n = gdll_findmax(l);
        if (n != NULL)
            n->content = 0;
    )
    gdll_walk(l);
    gdll_free(l);
    return 0;
}
