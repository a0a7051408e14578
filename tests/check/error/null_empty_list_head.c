/* The list may be empty. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

int main(void)
{
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = 1;
        n->next = head;
        head = n;
    }
    head->v = 2; //~ ERROR null-deref
    while (head) {
        struct node *n = head->next;
        free(head);
        head = n;
    }
    return 0;
}
