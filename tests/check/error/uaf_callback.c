/* The visitor frees elements, the walker goes on from them. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

static void visit(struct node *l, void (*f)(struct node *))
{
    for (; l; l = l->next) //~ ERROR use-after-free
        f(l);
}
static void reset(struct node *n) { n->v = 0; }
static void drop(struct node *n) { free(n); }

int main(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = 1;
        n->next = l;
        l = n;
    }
    visit(l, reset);
    visit(l, drop);
    return 0;
}
