/* The buffer is full but the terminator is still written. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *b = malloc(4);
    unsigned n = 0;
    while (n < 4 && __VERIFIER_nondet_int())
        b[n++] = 'a';
    b[n] = '\0'; //~ ERROR out-of-bounds
    free(b);
    return 0;
}
