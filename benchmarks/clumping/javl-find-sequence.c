/* The operation of javl-find.c several times, with any arguments; -DCALLS says how often. */
#include "closed.h"
#include "javl-find.c"

/*@ requires tree -> struct javl { root: r, size: _ } * javl(r);
    ensures tree -> struct javl { root: r, size: _ } * javl(r); */
void javl_find_sequence(struct javl *tree)
{
    REPEAT(javl_find(tree, __VERIFIER_nondet_int());)
}
