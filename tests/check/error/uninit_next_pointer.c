/* The link of the last node is never set. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

int main(void)
{
    struct node *head = malloc(sizeof *head);
    head->v = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = 1;
        n->next = head;
        head = n;
    }
    while (head->next) { //~ ERROR uninitialised
        struct node *n = head;
        head = n->next;
        free(n);
    }
    free(head);
    return 0;
}
