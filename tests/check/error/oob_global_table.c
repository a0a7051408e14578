/* A state beyond the table. */
extern int __VERIFIER_nondet_int(void);

static const int next[3] = {1, 2, 3};

int main(void)
{
    int state = 0;
    while (__VERIFIER_nondet_int())
        state = next[state]; //~ ERROR out-of-bounds
    return state;
}
