//~ SAFE
/* Takes elements off the end until nothing is left. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

static void delete_last(struct node **list)
{
    if (!*list)
        return;
    if (!(*list)->next) {
        free(*list);
        *list = NULL;
        return;
    }
    struct node *p = *list;
    while (p->next->next)
        p = p->next;
    free(p->next);
    p->next = NULL;
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    while (list)
        delete_last(&list);
    return 0;
}
