//~ SAFE
/* Inserts behind a chosen element. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *prev; struct node *next; };

static void insert_after(struct node *at, int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->prev = at;
    n->next = at->next;
    if (at->next)
        at->next->prev = n;
    at->next = n;
}

int main(void)
{
    struct node *list = malloc(sizeof *list);
    list->v = 0;
    list->prev = NULL;
    list->next = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *at = list;
        while (at->next && __VERIFIER_nondet_int())
            at = at->next;
        insert_after(at, 5);
    }
    for (struct node *p = list; p; p = p->next)
        if (p->next && p->next->prev != p)
            abort();
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
