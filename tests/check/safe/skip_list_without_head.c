//~ SAFE
/* Skip list with two levels without a head: elements are put in front, some of them on both levels. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *next, *express; };

int main(void)
{
    struct node *first = NULL, *fast = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->key = __VERIFIER_nondet_int();
        n->next = first;
        n->express = NULL;
        first = n;
        if (__VERIFIER_nondet_int()) {
            n->express = fast;
            fast = n;
        }
    }
    for (struct node *n = fast; n; n = n->express)
        n->key = 0;
    while (first) {
        struct node *next = first->next;
        free(first);
        first = next;
    }
    return 0;
}
