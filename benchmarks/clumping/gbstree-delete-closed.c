#include "closed.h"
#include "gbstree-insert.c"
#include "gbstree-delete.c"

int main(void)
{
    struct gbstree *t = gbstree_alloc();
    enum gbstree_result result;

    if (t == NULL)
        return 1;
    while (__VERIFIER_nondet_int())
        gbstree_insert(t, __VERIFIER_nondet_int(), &result);
    REPEAT(
        gbstree_delete(t, __VERIFIER_nondet_int());
    )
    gbstree_walk(t);
    gbstree_free(t);
    return 0;
}
