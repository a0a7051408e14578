/* The key of the removed node is returned after the node is gone. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree { int key; struct tree *l, *r; };

static struct tree *insert(struct tree *t, int k)
{
    if (!t) {
        t = malloc(sizeof *t);
        t->key = k;
        t->l = t->r = NULL;
    } else if (k < t->key)
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
    *t = gone->r;
    free(gone);
    return gone->key; //~ ERROR use-after-free
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
