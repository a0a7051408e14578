/* A product that grows in a loop. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int v = 1;
    for (int i = 0; i < 20; i++)
        v = v * 10; //~ ERROR overflow
    return v == 3;
}
