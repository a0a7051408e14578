//~ SAFE
/* Exchanges the first two elements by their links. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

static void exchange(struct node **link)
{
    struct node *a = *link;
    if (!a || !a->next)
        return;
    struct node *b = a->next;
    a->next = b->next;
    b->next = a;
    *link = b;
}

int main(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = l;
        l = n;
    }
    exchange(&l);
    if (l)
        exchange(&l->next);
    while (l) {
        struct node *n = l->next;
        free(l);
        l = n;
    }
    return 0;
}
