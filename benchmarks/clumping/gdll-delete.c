/* Removes the first element of a list between sentinels that has a given content. */
#ifndef GDLL_DELETE_C
#define GDLL_DELETE_C

#include "gdll.h"
#include "gdll-find.c"

/* Takes `n` out of its list. */
static void gdll_node_unlink(struct gdll_node *n)
{
    struct gdll_node *pred, *succ;

    assert(n != NULL);
    pred = gdll_node_get_pred(n);
    // mutant wrong-predecessor: pred = gdll_node_get_pred(gdll_node_get_pred(n));
    succ = gdll_node_get_succ(n);
    // mutant wrong-successor: succ = gdll_node_get_succ(gdll_node_get_succ(n));
    assert(pred != NULL);
    assert(succ != NULL);
    pred->succ = succ;
    // mutant no-forward-link: ;
    succ->pred = pred;
    // mutant no-backward-link: ;
}

/* Returns 1 and the content of the removed element in `*content`; 0 if there is none. */
/*@ requires l -> struct gdll { head: h, tail: t, card: _ }
          * h -> struct gdll_node { succ: f, pred: h, content: _ } * gdll_part(f, h, t, z)
          * t -> struct gdll_node { succ: t, pred: z, content: _ }
          * content -> [4] { @0:4: _ };
    ensures l -> struct gdll { head: h, tail: t, card: _ }
          * h -> struct gdll_node { succ: f, pred: h, content: _ } * gdll_part(f, h, t, z)
          * t -> struct gdll_node { succ: t, pred: z, content: _ }
          * content -> [4] { @0:4: _ }; */
int gdll_delete(struct gdll *l, int *content)
{
    struct gdll_node *n;

    assert(l != NULL);
    assert(content != NULL);
    n = gdll_find(l, *content);
    if (n == NULL)
    // mutant not-found-check: if (0)
        return 0;
    *content = gdll_node_get_content(n);
    gdll_node_unlink(n);
    gdll_node_free(n);
    // mutant no-free: ;
    l->card--;
    // mutant sentinel-freed: l->card--; gdll_node_free(l->tail);
    return 1;
}

#endif
