/* The header counts one element more than the block holds. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct vec { int n; int v[]; };

static struct vec *make(int n)
{
    struct vec *x = malloc(sizeof *x + n * sizeof(int));
    x->n = n;
    for (int i = 0; i < n; i++)
        x->v[i] = 0;
    return x;
}

int main(void)
{
    struct vec *x = make(3);
    if (__VERIFIER_nondet_int())
        x->n++;
    x->v[x->n - 1] = 7; //~ ERROR out-of-bounds
    free(x);
    return 0;
}
