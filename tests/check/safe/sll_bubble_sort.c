//~ SAFE
/* Sorts by exchanging the values of neighbours. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    int swapped;
    do {
        swapped = 0;
        for (struct node *p = list; p && p->next; p = p->next)
            if (p->v > p->next->v) {
                int t = p->v;
                p->v = p->next->v;
                p->next->v = t;
                swapped = 1;
            }
    } while (swapped);
    while (list) {
        struct node *n = list;
        list = list->next;
        free(n);
    }
    return 0;
}
