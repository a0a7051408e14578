//~ SAFE
/* Insertion in order through a pointer to the link. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *next; };

static void insert(struct node **link, int key)
{
    while (*link && (*link)->key < key)
        link = &(*link)->next;
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = *link;
    *link = n;
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        insert(&list, __VERIFIER_nondet_int());
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
