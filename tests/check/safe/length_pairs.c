//~ SAFE
/* Elements are added and taken out two at a time. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

static struct node *add(struct node *list)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->next = list;
    return n;
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        list = add(list);
        list = add(list);
    }
    while (list) {
        struct node *second = list->next;
        free(list);
        list = second->next;
        free(second);
    }
    return 0;
}
