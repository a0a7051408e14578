/* Destruction follows only the left children. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct t { struct t *l, *r; };

static struct t *grow(void)
{
    if (__VERIFIER_nondet_int() <= 0)
        return NULL;
    struct t *n = malloc(sizeof *n);
    n->l = grow();
    n->r = grow();
    return n;
}

int main(void)
{
    struct t *t = grow();
    while (t) {
        struct t *l = t->l;
        free(t); //~ ERROR leak
        t = l;
    }
    return 0;
}
