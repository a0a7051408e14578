/* A byte is moved into the sign. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned char byte = __VERIFIER_nondet_int();
    int word = byte << 24; //~ ERROR overflow
    return word == 7;
}
