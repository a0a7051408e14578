/* Recursive destruction without the case of the empty tree. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct t { struct t *a, *b; };

static struct t *grow(void)
{
    struct t *n = malloc(sizeof *n);
    n->a = n->b = NULL;
    if (__VERIFIER_nondet_int() > 1) {
        n->a = grow();
        n->b = grow();
    }
    return n;
}
static void destroy(struct t *n)
{
    if (n->a != NULL || __VERIFIER_nondet_int()) { //~ ERROR null-deref
        destroy(n->a);
        destroy(n->b);
    }
    free(n);
}

int main(void)
{
    destroy(grow());
    return 0;
}
