#include "closed.h"
#include "gbstree-insert.c"
#include "gbstree-find.c"

int main(void)
{
    struct gbstree *t = gbstree_alloc();
    struct gbstree_node *n;
    enum gbstree_result result;

    if (t == NULL)
        return 1;
    while (__VERIFIER_nondet_int())
        gbstree_insert(t, __VERIFIER_nondet_int(), &result);
    REPEAT(
        n = gbstree_find(t, __VERIFIER_nondet_int());
        if (n != NULL)
            n->content = n->content;
    )
    gbstree_walk(t);
    gbstree_free(t);
    return 0;
}
