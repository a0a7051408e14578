//~ SAFE
/* Every element refers back to the list object that holds it. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct owner;
struct element { struct owner *of; struct element *next; };
struct owner { unsigned length; struct element *first; };

static void add(struct owner *o)
{
    struct element *e = malloc(sizeof *e);
    e->of = o;
    e->next = o->first;
    o->first = e;
    o->length++;
}
static void leave(struct element *e)
{
    struct owner *o = e->of;
    o->first = e->next;
    o->length--;
    free(e);
}

int main(void)
{
    struct owner *o = malloc(sizeof *o);
    o->length = 0;
    o->first = NULL;
    while (__VERIFIER_nondet_int())
        add(o);
    while (o->first)
        leave(o->first);
    free(o);
    return 0;
}
