/* Comparing by subtraction fails for numbers far apart. */
extern int __VERIFIER_nondet_int(void);

static int compare(int a, int b)
{
    return a - b; //~ ERROR overflow
}

int main(void)
{
    int far = __VERIFIER_nondet_int() > 0 ? -2147483647 : 0;
    return compare(far, 2) > 0;
}
