//~ SAFE
/* Each cell exists if its own flag says so; flags of other cells say nothing of it. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *a, *b, *c, *d, *e;
    int has_a = __VERIFIER_nondet_int();
    if (has_a)
        a = malloc(sizeof *a);
    int has_b = __VERIFIER_nondet_int();
    if (has_b)
        b = malloc(sizeof *b);
    int has_c = __VERIFIER_nondet_int();
    if (has_c)
        c = malloc(sizeof *c);
    int has_d = __VERIFIER_nondet_int();
    if (has_d)
        d = malloc(sizeof *d);
    /* The last one exists only if the one before does. */
    int has_e = has_d && __VERIFIER_nondet_int();
    if (has_e)
        e = malloc(sizeof *e);
    int steps = 0;
    while (steps < 3 && __VERIFIER_nondet_int()) {
        if (has_b)
            *b = steps;
        steps++;
    }
    if (has_e) {
        *e = 1;
        *d = 2;
        free(e);
    }
    if (has_a)
        free(a);
    if (has_b)
        free(b);
    if (has_c)
        free(c);
    if (has_d)
        free(d);
    return 0;
}
