/* An element is taken off the lower level of a skip list and freed, but not off the upper one. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *low, *high; };

int main(void)
{
    struct node *head = calloc(1, sizeof *head);
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        struct node *a = head;
        while (a->high && a->high->key < key) //~ ERROR use-after-free
            a = a->high;
        struct node *b = a;
        while (b->low && b->low->key < key)
            b = b->low;
        struct node *n = b->low;
        if (n && n->key == key) {
            b->low = n->low;
            free(n);
        } else {
            n = calloc(1, sizeof *n);
            n->key = key;
            n->low = b->low;
            b->low = n;
            if (__VERIFIER_nondet_int()) {
                n->high = a->high;
                a->high = n;
            }
        }
    }
    while (head) {
        struct node *next = head->low;
        free(head);
        head = next;
    }
    return 0;
}
