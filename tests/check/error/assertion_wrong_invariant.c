/* The value is not what the assertion says when the list is empty. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = l;
        l = n;
    }
    assert(l != NULL); //~ ERROR assertion
    while (l) {
        struct node *n = l->next;
        free(l);
        l = n;
    }
    return 0;
}
