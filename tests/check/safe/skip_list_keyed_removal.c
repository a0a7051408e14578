//~ SAFE
/* Skip list with two levels by two fields: insertion, removal and lookup by key. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *low, *high; };

int main(void)
{
    struct node *head = calloc(1, sizeof *head);
    int found = 0;
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        struct node *a = head;
        while (a->high && a->high->key < key)
            a = a->high;
        struct node *b = a;
        while (b->low && b->low->key < key)
            b = b->low;
        struct node *n = b->low;
        if (__VERIFIER_nondet_int()) {
            if (n && n->key == key)
                found = 1;
        } else if (__VERIFIER_nondet_int()) {
            if (n && n->key == key) {
                if (a->high == n)
                    a->high = n->high;
                b->low = n->low;
                free(n);
            }
        } else {
            n = malloc(sizeof *n);
            n->key = key;
            n->high = NULL;
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
    return found;
}
