/* A doubly-linked list: each element knows the one before. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void __heapwise_check_shape(const char *);

struct node { struct node *next, *prev; };
/*@ predicate dll(x, p) = x == null | x -> struct node { next: n, prev: p } * dll(n, x); */

int main(void)
{
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->prev = NULL;
        x->next = head;
        if (head)
            head->prev = x;
        head = x;
    }
    __heapwise_check_shape("dll(head, null)");
    struct node *p = head;
    while (p && p->next) {
        struct node *q = p->next;
        __heapwise_check_shape("dll(q, p)");
        p = q;
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
