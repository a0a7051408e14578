/* An element is unlinked but not freed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *prev; };

static void insert_after(struct node *at)
{
    struct node *n = malloc(sizeof *n);
    n->prev = at;
    n->next = at->next;
    if (n->next)
        n->next->prev = n;
    at->next = n;
}
static void remove_after(struct node *at)
{
    if (at->next->next)
        at->next->next->prev = at;
    at->next = at->next->next; //~ ERROR leak
}

int main(void)
{
    struct node *head = malloc(sizeof *head);
    head->prev = head->next = NULL;
    while (__VERIFIER_nondet_int())
        insert_after(head);
    if (head->next)
        remove_after(head);
    while (head) {
        struct node *n = head->next;
        free(head);
        head = n;
    }
    return 0;
}
