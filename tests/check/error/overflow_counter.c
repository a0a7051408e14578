/* A counter near the limit is increased without a test. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 2147483640;
    while (__VERIFIER_nondet_int())
        n += 5; //~ ERROR overflow
    return n == 3;
}
