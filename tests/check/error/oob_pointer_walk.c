/* A cursor is decremented once more after it reached the start. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *block = malloc(6), *p = block + 6;
    while (p > block)
        *--p = 'x';
    if (__VERIFIER_nondet_int())
        *--p = 'y'; //~ ERROR out-of-bounds
    free(block);
    return 0;
}
