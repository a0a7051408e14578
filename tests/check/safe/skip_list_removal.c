//~ SAFE
/* Takes the first element out of a two-level list, on both levels when needed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *skip; };
struct list { struct node *first, *first_skip; };

static void push(struct list *l, int tall)
{
    struct node *n = malloc(sizeof *n);
    n->next = l->first;
    n->skip = NULL;
    l->first = n;
    if (tall) {
        n->skip = l->first_skip;
        l->first_skip = n;
    }
}
static void pop(struct list *l)
{
    struct node *n = l->first;
    if (l->first_skip == n)
        l->first_skip = n->skip;
    l->first = n->next;
    free(n);
}

int main(void)
{
    struct list l = {NULL, NULL};
    while (__VERIFIER_nondet_int())
        push(&l, __VERIFIER_nondet_int());
    while (l.first)
        pop(&l);
    return l.first_skip != NULL;
}
