/* The average of an empty list. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { unsigned v; struct node *next; };

int main(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = 2;
        n->next = l;
        l = n;
    }
    unsigned sum = 0, count = 0;
    while (l) {
        struct node *n = l->next;
        sum += l->v;
        count++;
        free(l);
        l = n;
    }
    unsigned average = sum / count; //~ ERROR division-by-zero
    return average != 2;
}
