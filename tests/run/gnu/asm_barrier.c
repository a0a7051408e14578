/* Assembly that only orders memory accesses; its inputs are evaluated. */
#include <stdio.h>

int main(void)
{
    int i = 1, *p = &i;
    __asm__ __volatile__("" : : : "memory");
    __asm__ __volatile__("" : : "r"(p), "r"(++i) : "memory");
    __asm__("nop");
    __asm__ __volatile__("nop\n\tnop" ::: "memory");
    printf("%d\n", *p);
    return 0;
}
