/* The flag that says whether there is data is never set. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int has_data; int *data; struct node *next; };

int main(void)
{
    struct node *n = malloc(sizeof *n);
    n->data = NULL;
    n->next = NULL;
    if (__VERIFIER_nondet_int())
        n->has_data = 0;
    if (n->has_data) //~ ERROR uninitialised
        *n->data = 1;
    free(n);
    return 0;
}
