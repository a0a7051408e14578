/* The element found is freed, then the whole list. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int *data; struct node *next; };

int main(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->data = malloc(sizeof *n->data);
        *n->data = __VERIFIER_nondet_int();
        n->next = l;
        l = n;
    }
    for (struct node *p = l; p; p = p->next)
        if (*p->data == 3) {
            free(p->data);
            break;
        }
    while (l) {
        struct node *n = l->next;
        free(l->data); //~ ERROR double-free
        free(l);
        l = n;
    }
    return 0;
}
