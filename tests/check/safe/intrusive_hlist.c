//~ SAFE
/* Singly headed list with a pointer back to the link that points here. */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct hnode { struct hnode *next, **pprev; };
struct item { int key; struct hnode node; };

static void hlist_add(struct hnode *n, struct hnode **first)
{
    n->next = *first;
    if (*first)
        (*first)->pprev = &n->next;
    *first = n;
    n->pprev = first;
}
static void hlist_del(struct hnode *n)
{
    *n->pprev = n->next;
    if (n->next)
        n->next->pprev = n->pprev;
}

int main(void)
{
    struct hnode *first = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *i = malloc(sizeof *i);
        i->key = 1;
        hlist_add(&i->node, &first);
    }
    while (first) {
        struct hnode *n = first;
        if (n->next && __VERIFIER_nondet_int())
            n = n->next;
        hlist_del(n);
        free((char *)n - offsetof(struct item, node));
    }
    return 0;
}
