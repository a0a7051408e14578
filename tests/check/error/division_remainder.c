/* A remainder by a difference that may be zero. */
extern int __VERIFIER_nondet_int(void);

static int spread(int a, int lo, int hi)
{
    return lo + a % (hi - lo); //~ ERROR division-by-zero
}

int main(void)
{
    int hi = __VERIFIER_nondet_int();
    if (hi < 1 || hi > 100)
        hi = 1;
    return spread(50, 1, hi) > 200;
}
