/* A list of numbers of which bounds are known, and one element whose number is. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void __heapwise_check_shape(const char *);

struct node { struct node *next; int data; };
/*@ predicate small(x) = x == null | x -> struct node { next: n, data: d } * small(n) && d >= 0 && d < 10; */

int main(void)
{
    struct node *head = NULL;
    int n = 0;
    while (__VERIFIER_nondet_int()) {
        int v = __VERIFIER_nondet_int();
        if (v < 0 || v > 9)
            v = 5;
        struct node *x = malloc(sizeof *x);
        x->data = v;
        x->next = head;
        head = x;
        n = 7;
    }
    __heapwise_check_shape("small(head)");
    struct node *one = malloc(sizeof *one);
    one->next = NULL;
    one->data = n;
    __heapwise_check_shape("small(head) * one -> struct node { next: null, data: n }");
    free(one);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
