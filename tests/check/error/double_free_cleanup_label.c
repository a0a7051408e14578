/* The error path frees what the normal path has freed already. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *a = malloc(4), *b = malloc(4);
    a[0] = b[0] = 0;
    if (__VERIFIER_nondet_int())
        goto fail;
    free(a);
    if (__VERIFIER_nondet_int())
        goto fail;
    free(b);
    return 0;
fail:
    free(b);
    free(a); //~ ERROR double-free
    return 1;
}
