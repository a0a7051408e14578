//~ SAFE
/* Every node of a tree owns a list of values. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct value { int v; struct value *next; };
struct tree { struct value *values; struct tree *l, *r; };

static struct tree *grow(void)
{
    if (__VERIFIER_nondet_int() <= 0)
        return NULL;
    struct tree *t = malloc(sizeof *t);
    t->values = NULL;
    while (__VERIFIER_nondet_int()) {
        struct value *v = malloc(sizeof *v);
        v->v = 1;
        v->next = t->values;
        t->values = v;
    }
    t->l = grow();
    t->r = grow();
    return t;
}
static void destroy(struct tree *t)
{
    if (!t)
        return;
    destroy(t->l);
    destroy(t->r);
    while (t->values) {
        struct value *v = t->values;
        t->values = v->next;
        free(v);
    }
    free(t);
}

int main(void)
{
    destroy(grow());
    return 0;
}
