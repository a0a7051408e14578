/* The error path returns without freeing. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int work(void)
{
    int *a = malloc(sizeof *a);
    *a = __VERIFIER_nondet_int();
    if (*a < 0)
        return -1; //~ ERROR leak
    free(a);
    return 0;
}

int main(void)
{
    return work() < 0;
}
