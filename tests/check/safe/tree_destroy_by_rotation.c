//~ SAFE
/* Iterative destruction without extra memory: rotate until there is no left child. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree { struct tree *l, *r; };

static struct tree *grow(void)
{
    if (__VERIFIER_nondet_int() <= 0)
        return NULL;
    struct tree *t = malloc(sizeof *t);
    t->l = grow();
    t->r = grow();
    return t;
}

int main(void)
{
    struct tree *t = grow();
    while (t) {
        if (t->l) {
            struct tree *up = t->l;
            t->l = up->r;
            up->r = t;
            t = up;
        } else {
            struct tree *next = t->r;
            free(t);
            t = next;
        }
    }
    return 0;
}
