//~ SAFE
/* Every possibly null pointer is tested in one of C's many ways. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int *maybe(void)
{
    if (__VERIFIER_nondet_int())
        return NULL;
    int *p = malloc(sizeof *p);
    *p = 1;
    return p;
}

int main(void)
{
    int *a = maybe(), *b = maybe(), *c = maybe(), *d = maybe();
    if (a)
        *a = 2;
    if (b == NULL)
        b = malloc(sizeof *b);
    *b = 3;
    int v = c && *c == 1;
    int w = !d || *d == 1;
    free(a);
    free(b);
    free(c);
    free(d);
    return v + w > 2;
}
