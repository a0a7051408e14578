//~ SAFE
/* Every element of the outer list owns an inner list. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct inner { struct inner *next; };
struct outer { struct inner *items; struct outer *next; };

int main(void)
{
    struct outer *all = NULL;
    while (__VERIFIER_nondet_int()) {
        struct outer *o = malloc(sizeof *o);
        o->items = NULL;
        o->next = all;
        all = o;
        while (__VERIFIER_nondet_int()) {
            struct inner *i = malloc(sizeof *i);
            i->next = o->items;
            o->items = i;
        }
    }
    while (all) {
        struct outer *o = all;
        all = o->next;
        while (o->items) {
            struct inner *i = o->items;
            o->items = i->next;
            free(i);
        }
        free(o);
    }
    return 0;
}
