//~ SAFE
/* Resources released in reverse order of their acquisition. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int rc = 1;
    int *a = NULL, *b = NULL, *c = NULL;
    a = malloc(sizeof *a);
    if (__VERIFIER_nondet_int())
        goto out_a;
    b = malloc(sizeof *b);
    if (__VERIFIER_nondet_int())
        goto out_b;
    c = malloc(sizeof *c);
    *a = *b = *c = 1;
    rc = *a - *c;
    free(c);
out_b:
    free(b);
out_a:
    free(a);
    return rc;
}
