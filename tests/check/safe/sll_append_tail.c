//~ SAFE
/* Appends at the end through a tail pointer. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };

int main(void)
{
    struct node *head = NULL, *tail = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof(struct node));
        n->value = 1;
        n->next = NULL;
        if (tail == NULL)
            head = n;
        else
            tail->next = n;
        tail = n;
    }
    if (head)
        tail->value = 2;
    for (struct node *p = head; p != NULL;) {
        struct node *dead = p;
        p = p->next;
        free(dead);
    }
    return 0;
}
