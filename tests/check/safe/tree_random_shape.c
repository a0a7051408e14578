//~ SAFE
/* A tree of arbitrary shape built and measured by recursion. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct t { struct t *a, *b; };

static struct t *grow(void)
{
    if (__VERIFIER_nondet_int() > 0) {
        struct t *n = malloc(sizeof *n);
        n->a = grow();
        n->b = grow();
        return n;
    }
    return NULL;
}
static unsigned size(struct t *n) { return n ? 1 + size(n->a) + size(n->b) : 0; }
static void mirror(struct t *n)
{
    if (!n)
        return;
    struct t *x = n->a;
    n->a = n->b;
    n->b = x;
    mirror(n->a);
    mirror(n->b);
}
static void cut(struct t *n)
{
    if (n) {
        cut(n->a);
        cut(n->b);
        free(n);
    }
}

int main(void)
{
    struct t *root = grow();
    mirror(root);
    unsigned n = size(root);
    cut(root);
    return n == 77777;
}
