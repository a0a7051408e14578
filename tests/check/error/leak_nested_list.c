/* The inner lists are freed for all outer elements but the last. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct in { struct in *next; };
struct out { struct in *items; struct out *next; };

int main(void)
{
    struct out *all = NULL;
    while (__VERIFIER_nondet_int()) {
        struct out *o = malloc(sizeof *o);
        o->items = malloc(sizeof *o->items);
        o->items->next = NULL;
        o->next = all;
        all = o;
    }
    while (all) {
        struct out *o = all;
        all = o->next;
        if (all)
            free(o->items);
        free(o); //~ ERROR leak
    }
    return 0;
}
