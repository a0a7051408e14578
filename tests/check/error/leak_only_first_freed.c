/* Only the first element of the list is freed. */
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
    free(head); //~ ERROR leak
    return 0;
}
