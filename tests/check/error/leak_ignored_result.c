/* The result of a function that allocates is dropped. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int *make(int v)
{
    int *p = malloc(sizeof *p);
    *p = v;
    return p;
}

int main(void)
{
    int *p = make(1);
    if (__VERIFIER_nondet_int())
        make(2); //~ ERROR leak
    free(p);
    return 0;
}
