/* A cursor into the old block survives the call of realloc. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *v = malloc(2 * sizeof *v), *cursor = v;
    v[0] = v[1] = 1;
    if (__VERIFIER_nondet_int()) {
        v = realloc(v, 64 * sizeof *v);
        v[2] = 1;
    }
    *cursor = 2; //~ ERROR use-after-free
    free(v);
    return 0;
}
