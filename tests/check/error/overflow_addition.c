/* The sum of two inputs. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a < 0)
        return 0;
    int b = a + 2147483645; //~ ERROR overflow
    return b == 7;
}
