/* The shift amount comes from outside. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int by = __VERIFIER_nondet_int();
    unsigned v = 1u << by; //~ ERROR overflow
    return v == 12345;
}
