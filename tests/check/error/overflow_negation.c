/* The smallest number has no opposite. */
extern int __VERIFIER_nondet_int(void);

static int magnitude(int v) { return v < 0 ? -v : v; } //~ ERROR overflow

int main(void)
{
    int v = __VERIFIER_nondet_int() ? -2147483647 - 1 : -5;
    return magnitude(v) == 9;
}
