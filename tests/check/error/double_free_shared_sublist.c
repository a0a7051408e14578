/* Two elements own the same block. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int *data; struct node *next; };

int main(void)
{
    struct node *l = NULL;
    int *last = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (last && __VERIFIER_nondet_int())
            n->data = last;
        else
            n->data = malloc(sizeof(int));
        last = n->data;
        n->next = l;
        l = n;
    }
    while (l) {
        struct node *n = l->next;
        free(l->data); //~ ERROR double-free
        free(l);
        l = n;
    }
    return 0;
}
