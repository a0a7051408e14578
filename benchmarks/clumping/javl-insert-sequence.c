/* The operation of javl-insert.c several times, with any arguments; -DCALLS says how often. */
#include "closed.h"
#include "javl-insert.c"

/*@ requires tree -> struct javl { root: r, size: _ } * javl(r);
    ensures tree -> struct javl { root: r, size: _ } * javl(r); */
void javl_insert_sequence(struct javl *tree)
{
    REPEAT(javl_insert(tree, __VERIFIER_nondet_int());)
}
