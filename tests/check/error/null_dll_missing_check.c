/* Insertion at the front forgets that there may be no old first element. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *prev; };

static struct node *push(struct node *head)
{
    struct node *n = malloc(sizeof *n);
    n->prev = NULL;
    n->next = head;
    head->prev = n; //~ ERROR null-deref
    return n;
}

int main(void)
{
    struct node *head = NULL;
    while (__VERIFIER_nondet_int())
        head = push(head);
    while (head) {
        struct node *n = head->next;
        free(head);
        head = n;
    }
    return 0;
}
