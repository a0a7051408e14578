//~ SAFE
/* A list whose last element is told by its number, after elements of two sorts in any order. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int sort; int even; struct node *next; };

int main(void)
{
    struct node *first = malloc(sizeof *first), *n = first;
    if (first == NULL) return 1;
    while (__VERIFIER_nondet_int()) {
        n->even = __VERIFIER_nondet_int();
        n->sort = n->even ? 1 : 2;
        n->next = malloc(sizeof *n);
        if (n->next == NULL) exit(1);
        n = n->next;
    }
    n->sort = 3;
    n->next = NULL;
    n = first;
    while (n->sort != 3) {
        assert(n->sort == 1 || n->sort == 2);
        n = n->next;
    }
    assert(n->next == NULL);
    while (first != NULL) {
        n = first->next;
        free(first);
        first = n;
    }
    return 0;
}
