#include "closed.h"
#include "psll-isort.c"

int main(void)
{
    struct psll *list = NULL;

    while (__VERIFIER_nondet_int())
        psll_insert(&list, __VERIFIER_nondet_int());
    REPEAT(
        psll_isort(&list);
    )
    psll_walk(list);
    psll_destroy(list);
    return 0;
}
