/* Marks two neighbours of a doubly-linked list, turns the list round in place, and claims that the first mark comes first. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *prev; int mark; };

static struct node *append(struct node *last)
{
    struct node *n = malloc(sizeof *n);
    if (n == NULL) exit(1);
    n->next = NULL;
    n->prev = last;
    n->mark = 0;
    if (last != NULL) last->next = n;
    return n;
}

int main(void)
{
    struct node *first = append(NULL), *n = first;
    while (__VERIFIER_nondet_int()) n = append(n);
    n = first;
    while (n->next != NULL && __VERIFIER_nondet_int()) n = n->next;
    n->mark = 1;
    if (n->next == NULL) append(n);
    n->next->mark = 2;

    struct node *before = NULL;
    n = first;
    while (n != NULL) {
        struct node *next = n->next;
        n->next = before;
        n->prev = next;
        before = n;
        n = next;
    }
    first = before;

    for (n = first; n != NULL; n = n->next)
        if (n->mark == 1) {
            assert(n->next != NULL && n->next->mark == 2); //~ ERROR assertion
        }
    while (first != NULL) {
        n = first->next;
        free(first);
        first = n;
    }
    return 0;
}
