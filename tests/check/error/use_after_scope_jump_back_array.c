/* An array of variable length ends where a jump goes back over its declaration. */
// not seen by sanitizers: the storage is the same in the next round
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 4, *p = NULL;
again:;
    if (p)
        return *p; //~ ERROR use-after-scope
    int a[n];
    a[0] = 0;
    p = a;
    if (__VERIFIER_nondet_int())
        goto again;
    return a[0];
}
