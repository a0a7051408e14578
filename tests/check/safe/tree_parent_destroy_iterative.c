//~ SAFE
/* Destroys a tree from its leaves, going up by the parent pointers. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *l, *r, *up; };

static struct node *grow(struct node *up)
{
    if (__VERIFIER_nondet_int() <= 0)
        return NULL;
    struct node *n = malloc(sizeof *n);
    n->up = up;
    n->l = grow(n);
    n->r = grow(n);
    return n;
}

int main(void)
{
    struct node *n = grow(NULL);
    while (n) {
        if (n->l)
            n = n->l;
        else if (n->r)
            n = n->r;
        else {
            struct node *up = n->up;
            if (up) {
                if (up->l == n)
                    up->l = NULL;
                else
                    up->r = NULL;
            }
            free(n);
            n = up;
        }
    }
    return 0;
}
