/* Freed in the branch and again at the end. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    if (__VERIFIER_nondet_int())
        free(p);
    free(p); //~ ERROR double-free
    return 0;
}
