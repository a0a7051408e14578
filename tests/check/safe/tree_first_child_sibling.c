//~ SAFE
/* General trees: first child, next sibling. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *child, *sibling; };

static struct node *grow(int depth)
{
    struct node *n = malloc(sizeof *n);
    n->sibling = NULL;
    n->child = NULL;
    if (depth > 0)
        while (__VERIFIER_nondet_int()) {
            struct node *c = grow(depth - 1);
            c->sibling = n->child;
            n->child = c;
        }
    return n;
}
static void destroy(struct node *n)
{
    while (n) {
        struct node *next = n->sibling;
        destroy(n->child);
        free(n);
        n = next;
    }
}

int main(void)
{
    destroy(grow(3));
    return 0;
}
