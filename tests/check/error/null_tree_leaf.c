/* The smallest key of a tree that may be empty. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree { int key; struct tree *l, *r; };

static struct tree *insert(struct tree *t, int key)
{
    if (!t) {
        t = malloc(sizeof *t);
        t->key = key;
        t->l = t->r = NULL;
    } else if (key < t->key)
        t->l = insert(t->l, key);
    else
        t->r = insert(t->r, key);
    return t;
}
static int minimum(struct tree *t)
{
    while (t->l) //~ ERROR null-deref
        t = t->l;
    return t->key;
}
static void destroy(struct tree *t)
{
    if (t) {
        destroy(t->l);
        destroy(t->r);
        free(t);
    }
}

int main(void)
{
    struct tree *t = NULL;
    while (__VERIFIER_nondet_int())
        t = insert(t, __VERIFIER_nondet_int());
    int m = minimum(t);
    destroy(t);
    return m == 4711;
}
