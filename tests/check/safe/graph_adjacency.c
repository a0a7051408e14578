//~ SAFE
//~ TODO budget: the loop does not stabilise within the iteration limit
/* Nodes in one list, edges in lists of their own that point back to nodes. What a cell of an element leads to is another
   element next to it, a sub-heap of its own, or an address that all elements share; "any element of the same list" is
   none of these, so it is not known that the target of an edge is a node once the list is folded. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct vertex;
struct edge { struct vertex *to; struct edge *next; };
struct vertex { struct edge *out; struct vertex *next; int mark; };

int main(void)
{
    struct vertex *all = NULL;
    while (__VERIFIER_nondet_int()) {
        struct vertex *v = malloc(sizeof *v);
        v->out = NULL;
        v->mark = 0;
        v->next = all;
        all = v;
        struct vertex *target = all;
        while (target->next && __VERIFIER_nondet_int())
            target = target->next;
        struct edge *e = malloc(sizeof *e);
        e->to = target;
        e->next = NULL;
        v->out = e;
    }
    for (struct vertex *v = all; v; v = v->next)
        for (struct edge *e = v->out; e; e = e->next)
            e->to->mark = 1;
    for (struct vertex *v = all; v; v = v->next)
        while (v->out) {
            struct edge *e = v->out;
            v->out = e->next;
            free(e);
        }
    while (all) {
        struct vertex *v = all;
        all = v->next;
        free(v);
    }
    return 0;
}
