/* One label too far. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int work(void)
{
    int rc = 1;
    char *a = malloc(4), *b = NULL;
    a[0] = 0;
    if (__VERIFIER_nondet_int())
        goto out;
    b = malloc(4);
    b[0] = 0;
    if (__VERIFIER_nondet_int())
        goto out;
    rc = 0;
    free(b);
out:
    free(a);
    return rc; //~ ERROR leak
}

int main(void)
{
    return work();
}
