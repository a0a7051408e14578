/* The right child of a new node is forgotten. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree { struct tree *l, *r; };

static struct tree *leaf(void)
{
    struct tree *t = malloc(sizeof *t);
    t->l = NULL;
    return t;
}
static void destroy(struct tree *t)
{
    if (t->l)
        destroy(t->l);
    if (t->r) //~ ERROR uninitialised
        destroy(t->r);
    free(t);
}

int main(void)
{
    struct tree *t = leaf();
    if (__VERIFIER_nondet_int())
        t->l = leaf();
    destroy(t);
    return 0;
}
