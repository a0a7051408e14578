//~ SAFE
/* Takes the smallest node away until the tree is empty. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree { int k; struct tree *l, *r; };

static struct tree *insert(struct tree *t, int k)
{
    if (!t) {
        t = malloc(sizeof *t);
        t->k = k;
        t->l = NULL;
        t->r = NULL;
        return t;
    }
    if (k < t->k)
        t->l = insert(t->l, k);
    else
        t->r = insert(t->r, k);
    return t;
}
static int take_minimum(struct tree **t)
{
    while ((*t)->l)
        t = &(*t)->l;
    struct tree *gone = *t;
    int k = gone->k;
    *t = gone->r;
    free(gone);
    return k;
}

int main(void)
{
    struct tree *t = NULL;
    while (__VERIFIER_nondet_int())
        t = insert(t, __VERIFIER_nondet_int());
    while (t)
        take_minimum(&t);
    return 0;
}
