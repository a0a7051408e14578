/* The recursion goes one step too deep. */
extern int __VERIFIER_nondet_int(void);

static int harmonic(int n)
{
    return n < 0 ? 0 : 1000 / n + harmonic(n - 1); //~ ERROR division-by-zero
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 50)
        return 0;
    return harmonic(n) > 1000000;
}
