//~ SAFE
/* Circular doubly linked list around a sentinel on the stack. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct link { struct link *next, *prev; };

int main(void)
{
    struct link sentinel = {&sentinel, &sentinel};
    while (__VERIFIER_nondet_int()) {
        struct link *n = malloc(sizeof *n);
        struct link *at = __VERIFIER_nondet_int() ? &sentinel : sentinel.prev;
        n->prev = at;
        n->next = at->next;
        n->next->prev = n;
        at->next = n;
    }
    while (sentinel.next != &sentinel) {
        struct link *n = sentinel.next;
        n->prev->next = n->next;
        n->next->prev = n->prev;
        free(n);
    }
    return sentinel.prev == &sentinel ? 0 : 1;
}
