/* Two blocks are never the same block. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *a = malloc(sizeof *a), *b = malloc(sizeof *b), *p;
    *a = *b = 0;
    p = __VERIFIER_nondet_int() ? a : b;
    int same = p == a;
    free(a);
    free(b);
    assert(same); //~ ERROR assertion
    return 0;
}
