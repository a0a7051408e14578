/* A global pointer to the element found last is not reset. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int k; struct node *next; };
static struct node *recent;

int main(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->k = 1;
        n->next = l;
        l = n;
        if (__VERIFIER_nondet_int())
            recent = n;
    }
    while (l) {
        struct node *n = l->next;
        free(l);
        l = n;
    }
    return recent ? recent->k : 0; //~ ERROR use-after-free
}
