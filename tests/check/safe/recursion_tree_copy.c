//~ SAFE
/* A deep copy of a tree; both are destroyed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct t { int v; struct t *l, *r; };

static struct t *grow(void)
{
    if (__VERIFIER_nondet_int() <= 0)
        return NULL;
    struct t *n = malloc(sizeof *n);
    n->v = 1;
    n->l = grow();
    n->r = grow();
    return n;
}
static struct t *copy(const struct t *t)
{
    if (!t)
        return NULL;
    struct t *c = malloc(sizeof *c);
    *c = *t;
    c->l = copy(t->l);
    c->r = copy(t->r);
    return c;
}
static void cut(struct t *t)
{
    if (t) {
        cut(t->l);
        cut(t->r);
        free(t);
    }
}

int main(void)
{
    struct t *a = grow(), *b = copy(a);
    cut(a);
    if (b)
        b->v = 2;
    cut(b);
    return 0;
}
