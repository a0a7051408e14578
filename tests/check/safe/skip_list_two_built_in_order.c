//~ SAFE
/* Two levels built back to front; walked on the upper level, freed on the lower. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct sl { struct sl *n1, *n2; };

int main(void)
{
    struct sl *low = NULL, *high = NULL;
    while (__VERIFIER_nondet_int()) {
        struct sl *n = malloc(sizeof *n);
        n->n1 = low;
        n->n2 = NULL;
        low = n;
        if (__VERIFIER_nondet_int()) {
            n->n2 = high;
            high = n;
        }
    }
    for (struct sl *p = high; p; p = p->n2)
        if (p->n2 == p)
            abort();
    while (low) {
        struct sl *n = low->n1;
        free(low);
        low = n;
    }
    return 0;
}
