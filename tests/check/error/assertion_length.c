/* Odd and even lists are not told apart. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void)
{
    struct node *l = NULL;
    int even = 1;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = l;
        l = n;
        even = !even;
    }
    while (l) {
        struct node *n = l->next;
        free(l);
        l = n;
    }
    assert(even); //~ ERROR assertion
    return 0;
}
