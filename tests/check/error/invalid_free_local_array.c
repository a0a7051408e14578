/* A buffer on the stack is used for short texts, one on the heap for long ones. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char small[16], *buffer = small;
    int n = __VERIFIER_nondet_int();
    if (n > 16 && n < 1000)
        buffer = malloc(n);
    buffer[0] = 'x';
    free(buffer); //~ ERROR invalid-free
    return 0;
}
