//~ SAFE
/* Recursive removal of unwanted elements. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

static struct node *build(void)
{
    if (!__VERIFIER_nondet_int())
        return NULL;
    struct node *n = malloc(sizeof *n);
    n->v = __VERIFIER_nondet_int();
    n->next = build();
    return n;
}
static struct node *positive(struct node *l)
{
    if (!l)
        return NULL;
    struct node *rest = positive(l->next);
    if (l->v > 0) {
        l->next = rest;
        return l;
    }
    free(l);
    return rest;
}

int main(void)
{
    struct node *l = positive(build());
    for (struct node *p = l; p; p = p->next)
        if (p->v <= 0)
            abort();
    while (l) {
        struct node *n = l->next;
        free(l);
        l = n;
    }
    return 0;
}
