//~ SAFE
/* Removes the first match through the address of the link. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

static struct node *detach(struct node **link, int v)
{
    for (; *link; link = &(*link)->next)
        if ((*link)->v == v) {
            struct node *n = *link;
            *link = n->next;
            n->next = NULL;
            return n;
        }
    return NULL;
}

int main(void)
{
    struct node *l = NULL, *out;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = __VERIFIER_nondet_int();
        n->next = l;
        l = n;
    }
    while ((out = detach(&l, 2)) != NULL)
        free(out);
    while (l) {
        out = detach(&l, l->v);
        free(out);
    }
    return 0;
}
