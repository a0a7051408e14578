/* Pre-order destruction: the children are read from a freed node. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct t { struct t *a, *b; };

static struct t *grow(void)
{
    if (__VERIFIER_nondet_int() <= 0)
        return NULL;
    struct t *n = malloc(sizeof *n);
    n->a = grow();
    n->b = grow();
    return n;
}
static void destroy(struct t *n)
{
    if (!n)
        return;
    free(n);
    destroy(n->a); //~ ERROR use-after-free
    destroy(n->b);
}

int main(void)
{
    destroy(grow());
    return 0;
}
