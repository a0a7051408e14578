#include "closed.h"
#include "javl-free.c"
#include "javl-insert.c"
#include "javl-find.c"

int main(void)
{
    struct javl *tree = javl_new();
    int *found;

    if (tree == NULL)
        return 1;
    while (__VERIFIER_nondet_int())
        javl_insert(tree, __VERIFIER_nondet_int());
    REPEAT(
        found = javl_find(tree, __VERIFIER_nondet_int());
        if (found != NULL)
            *found = *found;
    )
    javl_walk(tree->root);
    javl_free(tree);
    return 0;
}
