/* Finds the first element of a list between sentinels that has a given content, NULL if there is none. */
#ifndef GDLL_FIND_C
#define GDLL_FIND_C

#include "gdll.h"

static int gdll_compare(struct gdll_node *n, int content)
{
    int own = gdll_node_get_content(n);

    return own < content ? -1 : own > content;
}

/* The node, or the sentinel at the end. */
static struct gdll_node *gdll_search_content(struct gdll *l, int content)
{
    struct gdll_node *n;

    assert(l != NULL);
    n = gdll_node_get_succ(l->head);
    while (n != l->tail) {
        if (gdll_compare(n, content) == 0)
            break;
        n = gdll_node_get_succ(n);
        // mutant freed-on-the-way: { struct gdll_node *o = n; n = n->succ; gdll_node_free(o); }
        // mutant lost-predecessor: { struct gdll_node *o = n; n = n->succ; n->pred = NULL; }
        // mutant cut-out: { gdll_node_link(n->pred, n->succ); n = n->succ; }
    }
    return n;
}

/*@ requires l -> struct gdll { head: h, tail: t, card: _ }
          * h -> struct gdll_node { succ: f, pred: h, content: _ } * gdll_part(f, h, t, z)
          * t -> struct gdll_node { succ: t, pred: z, content: _ };
    ensures l -> struct gdll { head: h, tail: t, card: _ }
          * h -> struct gdll_node { succ: f, pred: h, content: _ } * gdll_part(f, h, t, z)
          * t -> struct gdll_node { succ: t, pred: z, content: _ }; */
struct gdll_node *gdll_find(struct gdll *l, int content)
{
    struct gdll_node *n;

    assert(l != NULL);
    if (gdll_is_empty(l))
        return NULL;
    n = gdll_search_content(l, content);
    assert(n != NULL);
    // mutant wrong-sentinel: l->tail = n;
    if (n == l->tail)
        return NULL;
        // mutant sentinel-freed: { gdll_node_free(n); return NULL; }
    return n;
}

#endif
