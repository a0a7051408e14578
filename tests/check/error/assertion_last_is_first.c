/* Claims that the last element is the one inserted last. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void)
{
    struct node *first = malloc(sizeof *first), *l = first;
    first->next = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = l;
        l = n;
    }
    assert(l->next == NULL); //~ ERROR assertion
    while (l) {
        struct node *n = l->next;
        free(l);
        l = n;
    }
    return 0;
}
