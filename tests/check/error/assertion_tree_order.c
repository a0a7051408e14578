/* Insertion goes to the wrong side for equal keys. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct t { int k; struct t *l, *r; };

static struct t *insert(struct t *t, int k)
{
    if (!t) {
        t = malloc(sizeof *t);
        t->k = k;
        t->l = t->r = NULL;
    } else if (k <= t->k)
        t->l = insert(t->l, k);
    else
        t->r = insert(t->r, k);
    return t;
}
static void check(struct t *t)
{
    if (!t)
        return;
    if (t->l)
        assert(t->l->k < t->k); //~ ERROR assertion
    check(t->l);
    check(t->r);
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
    struct t *t = NULL;
    while (__VERIFIER_nondet_int())
        t = insert(t, __VERIFIER_nondet_int());
    check(t);
    cut(t);
    return 0;
}
