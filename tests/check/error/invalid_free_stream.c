/* The memory of a stream belongs to the library. */
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    FILE *f = __VERIFIER_nondet_int() ? stderr : NULL;
    free(f); //~ ERROR invalid-free
    return 0;
}
