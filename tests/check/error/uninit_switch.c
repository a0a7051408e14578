/* A case is missing in the switch that sets the variable. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int kind = __VERIFIER_nondet_int(), size;
    switch (kind) {
    case 0: size = 1; break;
    case 1: size = 2; break;
    case 2: size = 4; break;
    }
    while (size > 1) //~ ERROR uninitialised
        size /= 2;
    return 0;
}
