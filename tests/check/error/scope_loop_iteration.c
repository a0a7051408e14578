/* A pointer kept from one round of the loop to the next. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *previous = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        if (previous)
            sum += *previous; //~ ERROR use-after-scope
        int value = i;
        previous = &value;
    }
    return sum > 100;
}
