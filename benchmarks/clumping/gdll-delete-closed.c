#include "closed.h"
#include "gdll-delete.c"

int main(void)
{
    struct gdll *l = gdll_alloc();
    int content;

    if (l == NULL)
        return 1;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            gdll_insert_head(l, __VERIFIER_nondet_int());
        else
            gdll_insert_tail(l, __VERIFIER_nondet_int());
    }
    REPEAT(
        content = __VERIFIER_nondet_int();
        gdll_delete(l, &content);
    )
    gdll_walk(l);
    gdll_free(l);
    return 0;
}
