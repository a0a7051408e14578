/* The variable is only set on one path. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int limit;
    if (__VERIFIER_nondet_int() > 2)
        limit = 10;
    if (limit > 5) //~ ERROR uninitialised
        return 1;
    return 0;
}
