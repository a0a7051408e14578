//~ SAFE
/* A list walked by a function given as a pointer. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { unsigned v; struct node *next; };

static void clear(struct node *n, void *context) { n->v = 0; }
static void count(struct node *n, void *context) { ++*(unsigned *)context; }
static void for_each(struct node *l, void (*visit)(struct node *, void *), void *context)
{
    for (; l; l = l->next)
        visit(l, context);
}

int main(void)
{
    struct node *l = NULL;
    unsigned n = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->v = 9;
        x->next = l;
        l = x;
    }
    for_each(l, clear, NULL);
    for_each(l, count, &n);
    while (l) {
        struct node *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}
