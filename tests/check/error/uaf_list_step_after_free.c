/* The loop reads the link of the node it has just freed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void)
{
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        head = n;
    }
    while (head) {
        free(head);
        head = head->next; //~ ERROR use-after-free
    }
    return 0;
}
