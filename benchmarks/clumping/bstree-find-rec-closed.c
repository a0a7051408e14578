#include "closed.h"
#include "bstree-find-rec.c"

int main(void)
{
    struct bstree *t = NULL, *above, *n;

    while (__VERIFIER_nondet_int())
        t = bstree_insert(t, __VERIFIER_nondet_int());
    REPEAT(
        n = bstree_find_rec(t, __VERIFIER_nondet_int(), &above);
        if (n != NULL)
            n->data = n->data;
        if (above != NULL)
            above->data = above->data;
    )
    bstree_walk(t);
    bstree_destroy(t);
    return 0;
}
