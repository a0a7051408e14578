/* The exchange loses one of the values. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void swap(int *a, int *b)
{
    *a = *b;
    *b = *a;
}

int main(void)
{
    int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    int x = *p = __VERIFIER_nondet_int(), y = *q = __VERIFIER_nondet_int();
    swap(p, q);
    int ok = *p == y && *q == x;
    free(p);
    free(q);
    assert(ok); //~ ERROR assertion
    return 0;
}
