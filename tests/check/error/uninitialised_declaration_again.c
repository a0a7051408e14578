/* The value of a variable is gone when control comes to its declaration again. */
// not seen by sanitizers: the bytes of the last round are still there
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct pair {
    int left, right;
};

int main(void)
{
    struct pair *p = NULL;
again:;
    struct pair x;
    if (p && p->right > 2) //~ ERROR uninitialised
        return 1;
    x.left = 0;
    x.right = 1;
    p = &x;
    if (__VERIFIER_nondet_int())
        goto again;
    return x.left;
}
