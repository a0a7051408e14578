/* A function returns the address of its local. */
extern int __VERIFIER_nondet_int(void);

static int *pick(int which)
{
    static int lasting = 1;
    int local = 2;
    int *result = &lasting;
    if (which)
        result = &local;
    return result;
}

int main(void)
{
    int *p = pick(__VERIFIER_nondet_int());
    *p = 3; //~ ERROR use-after-scope
    return 0;
}
