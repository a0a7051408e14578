/* Removal repairs the lower level only. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next, *skip; };

int main(void)
{
    struct node *low = NULL, *high = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = 0;
        n->next = low;
        n->skip = NULL;
        low = n;
        if (__VERIFIER_nondet_int()) {
            n->skip = high;
            high = n;
        }
    }
    if (low) {
        struct node *out = low;
        low = low->next;
        free(out);
    }
    for (struct node *p = high; p; p = p->skip)
        p->v = 1; //~ ERROR use-after-free
    while (low) {
        struct node *n = low->next;
        free(low);
        low = n;
    }
    return 0;
}
