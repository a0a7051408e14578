/* Two names for one block; freed by one, read by the other. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *a = malloc(sizeof *a), *b = a;
    *a = 1;
    if (__VERIFIER_nondet_int()) {
        free(a);
        a = NULL;
    }
    int v = *b; //~ ERROR use-after-free
    if (a)
        free(a);
    return v;
}
