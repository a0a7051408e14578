//~ SAFE
/* A list of positive numbers divides another number: none of them is zero. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct divisor { struct divisor *next; int by; };

static struct divisor *add(struct divisor *list, int by)
{
    if (by <= 0)
        return list;
    struct divisor *d = malloc(sizeof *d);
    d->by = by;
    d->next = list;
    return d;
}

int main(void)
{
    struct divisor *list = NULL;
    while (__VERIFIER_nondet_int())
        list = add(list, __VERIFIER_nondet_int());
    int n = 1000000;
    for (struct divisor *d = list; d; d = d->next)
        n = n / d->by;
    while (list) {
        struct divisor *next = list->next;
        free(list);
        list = next;
    }
    return n < 0;
}
