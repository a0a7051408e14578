/* The loop tests the wrong pointer and steps over the end. */
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
    while (p->next->next) //~ ERROR null-deref
        p = p->next;
    while (head) {
        struct node *n = head->next;
        free(head);
        head = n;
    }
    return 0;
}
