/* A pointer to a local of a block that has ended. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int outer = 1, *p = &outer;
    if (__VERIFIER_nondet_int()) {
        int inner = 2;
        p = &inner;
    }
    return *p; //~ ERROR use-after-scope
}
