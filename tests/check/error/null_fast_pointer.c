/* The fast pointer is only tested itself, not its successor. */
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
    struct node *slow = head, *fast = head;
    while (fast) {
        slow = slow->next;
        fast = fast->next->next; //~ ERROR null-deref
    }
    while (head) {
        struct node *n = head->next;
        free(head);
        head = n;
    }
    return 0;
}
