/* The search does not stop at the sentinel, which has no number. */
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
        *number = 1;
        struct link *l = fresh(number);
        l->next = ring->next;
        l->prev = ring;
        ring->next->prev = l;
        ring->next = l;
    }
    struct link *at = ring->next;
    while (*at->number == 1) //~ ERROR null-deref
        at = at->next;
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
