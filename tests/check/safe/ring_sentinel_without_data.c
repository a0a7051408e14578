//~ SAFE
/* The sentinel of a ring has the type of the elements; these own a number each, and it does not. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct link { struct link *next, *prev; int *number; };

static struct link *fresh(int *number)
{
    struct link *l = malloc(sizeof *l);
    if (!l)
        abort();
    l->next = l->prev = l;
    l->number = number;
    return l;
}

int main(void)
{
    struct link *ring = fresh(NULL);
    while (__VERIFIER_nondet_int()) {
        int *number = malloc(sizeof *number);
        if (!number)
            abort();
        *number = __VERIFIER_nondet_int();
        struct link *at = ring->next;
        while (at != ring && *at->number < *number)
            at = at->next;
        struct link *l = fresh(number);
        l->next = at;
        l->prev = at->prev;
        at->prev->next = l;
        at->prev = l;
    }
    while (ring->next != ring) {
        struct link *l = ring->next;
        l->prev->next = l->next;
        l->next->prev = l->prev;
        free(l->number);
        free(l);
    }
    free(ring);
    return 0;
}
