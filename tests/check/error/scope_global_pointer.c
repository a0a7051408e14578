/* A global pointer outlives the local it points to. */
extern int __VERIFIER_nondet_int(void);

static int *current;

static void begin(void)
{
    int state = 1;
    current = &state;
    if (__VERIFIER_nondet_int())
        current = 0;
}

int main(void)
{
    begin();
    if (current)
        *current = 2; //~ ERROR use-after-scope
    return 0;
}
