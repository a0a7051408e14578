/* The pointer was moved before it is freed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(8);
    p[0] = 0;
    if (__VERIFIER_nondet_int() > 1)
        p++;
    *p = 'x';
    free(p); //~ ERROR invalid-free
    return 0;
}
