//~ SAFE
/* Every k-th element leaves a ring until one is left. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct person { int number; struct person *next; };

int main(void)
{
    int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || k < 1)
        return 0;
    struct person *first = malloc(sizeof *first), *last = first;
    first->number = 1;
    first->next = first;
    for (int i = 2; i <= n; i++) {
        struct person *p = malloc(sizeof *p);
        p->number = i;
        p->next = first;
        last->next = p;
        last = p;
    }
    while (last->next != last) {
        for (int i = 1; i < k; i++)
            last = last->next;
        struct person *out = last->next;
        last->next = out->next;
        free(out);
    }
    free(last);
    return 0;
}
