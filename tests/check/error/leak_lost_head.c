/* The head is overwritten while it holds the only pointer. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void)
{
    struct node *head = malloc(sizeof *head);
    head->next = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = NULL;
        head = n; //~ ERROR leak
    }
    free(head);
    return 0;
}
