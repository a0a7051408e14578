//~ SAFE
/* Indices from outside are checked before use. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int get(const int *v, int n, int i)
{
    return i >= 0 && i < n ? v[i] : -1;
}

int main(void)
{
    int *v = calloc(10, sizeof *v);
    while (__VERIFIER_nondet_int()) {
        int i = __VERIFIER_nondet_int();
        if (get(v, 10, i) >= 0)
            v[i] = 1;
    }
    free(v);
    return 0;
}
