/* Finds an element of a list between sentinels by its position, counted from 1; NULL if there is none. The shorter
 * way is taken, from the front or from the back. */
#ifndef GDLL_INDEX_C
#define GDLL_INDEX_C

#include "gdll.h"

/*@ requires l -> struct gdll { head: h, tail: t, card: _ }
          * h -> struct gdll_node { succ: f, pred: h, content: _ } * gdll_part(f, h, t, z)
          * t -> struct gdll_node { succ: t, pred: z, content: _ };
    ensures l -> struct gdll { head: h, tail: t, card: _ }
          * h -> struct gdll_node { succ: f, pred: h, content: _ } * gdll_part(f, h, t, z)
          * t -> struct gdll_node { succ: t, pred: z, content: _ }; */
struct gdll_node *gdll_index(struct gdll *l, unsigned long pos)
{
    struct gdll_node *n;

    assert(l != NULL);
    if (pos < 1 || pos > l->card)
        return NULL;
    if (pos <= l->card / 2 + 1) {
        n = gdll_node_get_succ(l->head);
        while (pos > 1) {
            n = gdll_node_get_succ(n);
            // mutant freed-on-the-way: { struct gdll_node *o = n; n = n->succ; gdll_node_free(o); }
            // mutant lost-predecessor: { struct gdll_node *o = n; n = n->succ; o->pred = NULL; }
            pos--;
        }
    } else {
        n = gdll_node_get_pred(l->tail);
        while (pos < l->card) {
            n = gdll_node_get_pred(n);
            // mutant dropped-on-the-way: { n->pred->succ = n->succ; n->succ->pred = n->pred; n = n->pred; }
            // mutant lost-successor: { struct gdll_node *o = n; n = n->pred; o->succ = NULL; }
            pos++;
        }
    }
    assert(n != NULL);
    // mutant sentinel-freed: gdll_node_free(l->head);
    // mutant wrong-sentinel: l->head = n;
    return n;
}

#endif
