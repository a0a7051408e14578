/* An index without a value. */
extern int __VERIFIER_nondet_int(void);

static int table[4] = {1, 2, 3, 4};

int main(void)
{
    int i;
    if (__VERIFIER_nondet_int() < 0)
        i = 2;
    else if (__VERIFIER_nondet_int() > 1)
        i = 3;
    if (i >= 0 && i < 4) //~ ERROR uninitialised
        return table[i];
    return 0;
}
