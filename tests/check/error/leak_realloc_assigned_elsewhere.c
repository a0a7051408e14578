/* The loop gives the block back only when it was grown. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void fill(int n)
{
    int *v = malloc(4 * sizeof *v);
    v[0] = n;
    if (n > 2) {
        v = realloc(v, 8 * sizeof *v);
        v[7] = n;
        free(v);
        v = NULL;
    }
} //~ ERROR leak

int main(void)
{
    fill(__VERIFIER_nondet_int());
    return 0;
}
