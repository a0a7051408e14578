/* Finds the greatest element of a list between sentinels, NULL if there is none. */
#ifndef GDLL_FINDMAX_C
#define GDLL_FINDMAX_C

#include "gdll.h"

/*@ requires l -> struct gdll { head: h, tail: t, card: _ }
          * h -> struct gdll_node { succ: f, pred: h, content: _ } * gdll_part(f, h, t, z)
          * t -> struct gdll_node { succ: t, pred: z, content: _ };
    ensures l -> struct gdll { head: h, tail: t, card: _ }
          * h -> struct gdll_node { succ: f, pred: h, content: _ } * gdll_part(f, h, t, z)
          * t -> struct gdll_node { succ: t, pred: z, content: _ }; */
struct gdll_node *gdll_findmax(struct gdll *l)
{
    struct gdll_node *n, *max;

    assert(l != NULL);
    if (gdll_is_empty(l))
        return NULL;
    max = gdll_node_get_succ(l->head);
    // mutant head-bent (shape): max = gdll_node_get_succ(l->head); l->head->pred = l->tail;
    n = gdll_node_get_succ(max);
    while (n != l->tail) {
        if (gdll_node_get_content(n) > gdll_node_get_content(max))
            max = n;
            // mutant cut-out: { gdll_node_link(gdll_node_get_pred(max), gdll_node_get_succ(max)); max = n; }
            // mutant freed-candidate: { gdll_node_free(max); max = n; }
        n = gdll_node_get_succ(n);
        // mutant unlinked-on-the-way: { struct gdll_node *o = n; n = gdll_node_get_succ(n); o->pred = NULL; }
    }
    assert(max != NULL);
    // mutant sentinel-lost: l->tail = max;
    return max;
}

#endif
