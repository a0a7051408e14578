/* The last node is freed by the callee and by the caller. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

static void destroy(struct node *n)
{
    if (n->next) {
        destroy(n->next);
        if (!__VERIFIER_nondet_int())
            free(n->next); //~ ERROR double-free
    }
    free(n);
}

int main(void)
{
    struct node *l = malloc(sizeof *l);
    l->next = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = l;
        l = n;
    }
    destroy(l);
    return 0;
}
