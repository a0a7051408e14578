/* An integer is rounded to `float` at once, not to `double` before that. */
int main(void)
{
    volatile float once = (float)9007199791611905UL;
    volatile unsigned long number = 9007199791611905UL;
    if (once == (float)number && once != (float)(double)number)
        *(volatile int *)0 = 1;
    return 0;
}
