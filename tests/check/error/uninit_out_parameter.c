/* The function does not set its result on failure, the caller reads it all the same. */
extern int __VERIFIER_nondet_int(void);

static int read_value(int *out)
{
    if (__VERIFIER_nondet_int() == 0)
        return -1;
    *out = 5;
    return 0;
}

int main(void)
{
    int v;
    read_value(&v);
    if (v == 5) //~ ERROR uninitialised
        return 0;
    return 1;
}
