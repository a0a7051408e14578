//~ SAFE
/* Two heap objects exchanged through pointers to pointers. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void swap(int **a, int **b)
{
    int *t = *a;
    *a = *b;
    *b = t;
}

int main(void)
{
    int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    *p = 1;
    *q = 2;
    int *old = p;
    while (__VERIFIER_nondet_int())
        swap(&p, &q);
    assert(*p + *q == 3);
    assert(old == p || old == q);
    free(p);
    free(q);
    return 0;
}
