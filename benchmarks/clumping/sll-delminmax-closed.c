#include "closed.h"
#include "sll-delminmax.c"

int main(void)
{
    struct sll *l = NULL;

    while (__VERIFIER_nondet_int())
        l = sll_push(l, __VERIFIER_nondet_int());
    REPEAT(
        l = sll_delminmax(l);
    )
    sll_walk(l);
    sll_destroy(l);
    return 0;
}
