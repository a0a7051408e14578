//~ SAFE
/* A recursive function returns its result through a pointer to the caller's local. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

static void build(struct node **out)
{
    struct node *rest = NULL;
    if (__VERIFIER_nondet_int())
        build(&rest);
    *out = malloc(sizeof **out);
    (*out)->next = rest;
}
static void last(struct node *n, struct node **out)
{
    if (n->next)
        last(n->next, out);
    else
        *out = n;
}

int main(void)
{
    struct node *list, *end;
    build(&list);
    last(list, &end);
    end->next = NULL;
    while (list) {
        struct node *n = list->next;
        free(list);
        list = n;
    }
    return 0;
}
