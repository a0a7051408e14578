/* The list is cut and its tail forgotten. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void)
{
    struct node *head = malloc(sizeof *head);
    head->next = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        head = n;
    }
    struct node *p = head;
    while (p->next && __VERIFIER_nondet_int())
        p = p->next;
    p->next = NULL; //~ ERROR leak
    while (head) {
        struct node *n = head->next;
        free(head);
        head = n;
    }
    return 0;
}
