/* A pointer is read through before it gets a value. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p, x = 1, choice = __VERIFIER_nondet_int();
    if (choice > 0)
        p = &x;
    if (choice >= 0)
        *p = 2; //~ ERROR uninitialised
    return x;
}
