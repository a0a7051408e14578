//~ SAFE
/* Skip list with two levels: every node is on the lower, some are on the upper. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *next, *express; };

int main(void)
{
    struct node *head = malloc(sizeof *head);
    head->key = -1;
    head->next = head->express = NULL;
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        struct node *upper = head;
        while (upper->express && upper->express->key < key)
            upper = upper->express;
        struct node *lower = upper;
        while (lower->next && lower->next->key < key)
            lower = lower->next;
        struct node *n = malloc(sizeof *n);
        n->key = key;
        n->next = lower->next;
        n->express = NULL;
        lower->next = n;
        if (__VERIFIER_nondet_int()) {
            n->express = upper->express;
            upper->express = n;
        }
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
