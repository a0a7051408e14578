#include "closed.h"
#include "javl-free.c"
#include "javl-insert.c"

int main(void)
{
    struct javl *tree = javl_new();

    if (tree == NULL)
        return 1;
    while (__VERIFIER_nondet_int())
        javl_insert(tree, __VERIFIER_nondet_int());
    REPEAT(
        javl_insert(tree, __VERIFIER_nondet_int());
    )
    javl_walk(tree->root);
    javl_free(tree);
    return 0;
}
