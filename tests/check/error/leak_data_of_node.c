/* The node is freed, the data it owns is not. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int *data; struct node *next; };

int main(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->data = malloc(sizeof *n->data);
        *n->data = 1;
        n->next = l;
        l = n;
    }
    while (l) {
        struct node *n = l->next;
        free(l); //~ ERROR leak
        l = n;
    }
    return 0;
}
