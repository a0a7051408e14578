//~ SAFE
/* A queue in which urgent elements and others come in any order; the sum stays within its bounds because every element
   says 0 or 1. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job { int urgent; struct job *next; };

static void put(struct job **first, struct job **last, int urgent)
{
    struct job *j = malloc(sizeof *j);
    j->urgent = urgent;
    j->next = NULL;
    if (*last)
        (*last)->next = j;
    else
        *first = j;
    *last = j;
}

int main(void)
{
    struct job *first = NULL, *last = NULL;
    while (__VERIFIER_nondet_int())
        if (__VERIFIER_nondet_int())
            put(&first, &last, 1);
        else
            put(&first, &last, 0);
    while (first) {
        struct job *j = first;
        first = j->next;
        assert(j->urgent == 0 || j->urgent == 1);
        free(j);
    }
    return 0;
}
