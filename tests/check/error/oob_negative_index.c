/* An index from outside may be negative. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int v[4] = {1, 2, 3, 4};
    int i = __VERIFIER_nondet_int();
    if (i < 4 && i > -3)
        v[i] = 0; //~ ERROR out-of-bounds
    return v[0];
}
