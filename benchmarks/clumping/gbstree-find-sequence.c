/* The operation of gbstree-find.c several times, with any arguments; -DCALLS says how often. */
#include "closed.h"
#include "gbstree-find.c"

/*@ requires t -> struct gbstree { sent: s, card: _ }
          * s -> struct gbstree_node { left: r, right: s, parent: s, content: _ } * gbstree_below(r, s, s);
    ensures t -> struct gbstree { sent: s, card: _ }
          * s -> struct gbstree_node { left: r, right: s, parent: s, content: _ } * gbstree_below(r, s, s); */
void gbstree_find_sequence(struct gbstree *t)
{
    REPEAT(gbstree_find(t, __VERIFIER_nondet_int());)
}
