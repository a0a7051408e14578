/* The loop may run once more than claimed. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0;
    while (n < 5 && __VERIFIER_nondet_int())
        n++;
    assert(n < 5); //~ ERROR assertion
    return 0;
}
