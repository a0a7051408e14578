/* A list that is built, reversed and destroyed: its shape before, in the middle and after. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void __heapwise_check_shape(const char *);

struct node { struct node *next; int data; };
/*@ predicate list(x) = x == null | x -> struct node { next: n, data: _ } * list(n); */

int main(void)
{
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *x = malloc(sizeof *x);
        x->data = 1;
        x->next = head;
        head = x;
        __heapwise_check_shape("list(head) && head != null");
    }
    __heapwise_check_shape("list(head)");
    struct node *done = NULL;
    while (head) {
        struct node *next = head->next;
        __heapwise_check_shape("head -> struct node { next: next, data: _ } * list(next) * list(done)");
        head->next = done;
        done = head;
        head = next;
    }
    __heapwise_check_shape("list(done) && head == null");
    while (done) {
        struct node *next = done->next;
        free(done);
        done = next;
        __heapwise_check_shape("list(done)");
    }
    return 0;
}
