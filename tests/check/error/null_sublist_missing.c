/* An outer element may have no inner list. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct in { int v; struct in *next; };
struct out { struct in *items; struct out *next; };

int main(void)
{
    struct out *all = NULL;
    while (__VERIFIER_nondet_int()) {
        struct out *o = malloc(sizeof *o);
        o->items = NULL;
        if (__VERIFIER_nondet_int()) {
            o->items = malloc(sizeof *o->items);
            o->items->v = 0;
            o->items->next = NULL;
        }
        o->next = all;
        all = o;
    }
    for (struct out *o = all; o; o = o->next)
        o->items->v = 1; //~ ERROR null-deref
    while (all) {
        struct out *o = all->next;
        free(all->items);
        free(all);
        all = o;
    }
    return 0;
}
