//~ SAFE
/* Some elements own data, some have none. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int *data; struct node *next; };

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->data = NULL;
        if (__VERIFIER_nondet_int()) {
            n->data = malloc(sizeof *n->data);
            *n->data = 1;
        }
        n->next = list;
        list = n;
    }
    for (struct node *p = list; p; p = p->next)
        if (p->data)
            *p->data = 2;
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n->data);
        free(n);
    }
    return 0;
}
