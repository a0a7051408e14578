/* Every element carries a function to destroy it, but some the one of the other sort. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct object { void (*destroy)(struct object *); struct object *next; };
struct simple { struct object base; int x; };
struct owning { struct object base; char *text; };

static void destroy_simple(struct object *o) { free(o); }
static void destroy_owning(struct object *o)
{
    free(((struct owning *)o)->text); //~ ERROR uninitialised
    free(o);
}

int main(void)
{
    struct object *all = NULL;
    while (__VERIFIER_nondet_int()) {
        struct object *o;
        if (__VERIFIER_nondet_int()) {
            struct simple *s = malloc(sizeof *s);
            s->x = 1;
            o = &s->base;
            o->destroy = destroy_owning;
        } else {
            struct owning *w = malloc(sizeof *w);
            w->text = malloc(4);
            w->text[0] = 0;
            o = &w->base;
            o->destroy = destroy_owning;
        }
        o->next = all;
        all = o;
    }
    while (all) {
        struct object *next = all->next;
        all->destroy(all);
        all = next;
    }
    return 0;
}
