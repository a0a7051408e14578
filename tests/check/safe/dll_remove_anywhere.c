//~ SAFE
/* Removes an arbitrary element, repairing both neighbours. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *prev; };
struct list { struct node *head, *tail; };

static void push_back(struct list *l)
{
    struct node *n = malloc(sizeof *n);
    n->next = NULL;
    n->prev = l->tail;
    if (l->tail)
        l->tail->next = n;
    else
        l->head = n;
    l->tail = n;
}
static void take(struct list *l, struct node *n)
{
    if (n->prev)
        n->prev->next = n->next;
    else
        l->head = n->next;
    if (n->next)
        n->next->prev = n->prev;
    else
        l->tail = n->prev;
    free(n);
}

int main(void)
{
    struct list l = {NULL, NULL};
    while (__VERIFIER_nondet_int())
        push_back(&l);
    while (l.head) {
        struct node *n = l.head;
        while (n->next && __VERIFIER_nondet_int())
            n = n->next;
        take(&l, n);
    }
    return 0;
}
