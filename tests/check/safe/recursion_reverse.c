//~ SAFE
/* Recursive reversal. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

static struct node *reverse(struct node *l)
{
    if (!l || !l->next)
        return l;
    struct node *second = l->next;
    struct node *r = reverse(second);
    second->next = l;
    l->next = NULL;
    return r;
}
static void destroy(struct node *l)
{
    if (!l)
        return;
    struct node *rest = l->next;
    free(l);
    destroy(rest);
}

int main(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = 0;
        n->next = l;
        l = n;
    }
    l = reverse(l);
    destroy(l);
    return 0;
}
