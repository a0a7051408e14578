//~ SAFE
/* A list with head and tail: the roles of the links are exchanged, so it runs the other way. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *prev; };

int main(void)
{
    struct node *head = NULL, *tail = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->prev = NULL;
        n->next = head;
        if (head)
            head->prev = n;
        else
            tail = n;
        head = n;
    }
    struct node *p = head;
    while (p) {
        struct node *next = p->next;
        p->next = p->prev;
        p->prev = next;
        p = next;
    }
    p = head;
    head = tail;
    tail = p;
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
