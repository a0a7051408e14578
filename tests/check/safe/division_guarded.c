//~ SAFE
/* Divisors are tested first. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int safe_divide(int a, int b)
{
    if (b == 0 || b == -1)
        return 0;
    return a / b;
}

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int q = safe_divide(a, b);
    int parts = 0;
    for (int d = 1; d <= 10; d++)
        parts += 100 % d;
    assert(parts >= 0);
    if (b > 0)
        assert(a % b < b);
    return q == 12345;
}
