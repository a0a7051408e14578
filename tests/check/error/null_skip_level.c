/* The upper level of a skip list ends before the lower one. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *skip; };

int main(void)
{
    struct node *low = NULL, *high = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = low;
        n->skip = NULL;
        low = n;
        if (__VERIFIER_nondet_int()) {
            n->skip = high;
            high = n;
        }
    }
    struct node *h = high;
    for (struct node *p = low; p; p = p->next)
        h = h->skip; //~ ERROR null-deref
    while (low) {
        struct node *n = low->next;
        free(low);
        low = n;
    }
    return 0;
}
