/* The vector was made smaller, the old length is still in use. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 8;
    int *v = calloc(n, sizeof *v);
    if (__VERIFIER_nondet_int())
        v = realloc(v, 4 * sizeof *v);
    v[n - 1] = 1; //~ ERROR out-of-bounds
    free(v);
    return 0;
}
