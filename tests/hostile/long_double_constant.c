/* A constant of `long double` has more digits than a double. */
int main(void)
{
    volatile long double exact = 0.1L;
    volatile double rounded = 0.1;
    if (exact != (long double)rounded)
        *(volatile int *)0 = 1;
    return 0;
}
