//~ SAFE
/* Nodes cloned with memcpy, then relinked. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct node { int a, b; struct node *next; };

int main(void)
{
    struct node prototype = {1, 2, NULL}, *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        memcpy(n, &prototype, sizeof *n);
        n->next = list;
        list = n;
    }
    struct node *p = list;
    while (p) {
        if (p->a != 1 || p->b != 2)
            abort();
        struct node copy;
        memcpy(&copy, p, sizeof copy);
        free(p);
        p = copy.next;
    }
    return 0;
}
