#include <stdio.h>

/* Names given in assembly, registers as storage class, extension markers. */
extern int renamed(const char *) __asm__("puts");
static int local_name __asm__("another_name") = 3;
int exported(int x) asm("exported_symbol");
int exported(int x) { return x + local_name; }
__extension__ typedef long long extended;
__extension__ static int ext(void) { return __extension__ 5; }

int main(void)
{
    register int fast = 2;
    __signed__ char s = -1;
    __const int c = 4;
    __volatile__ int v = 6;
    renamed("through puts");
    printf("%d\n", exported(fast));
    printf("%d %d %d %d\n", s, c, v, ext());
    extended e = 1LL << 33;
    printf("%lld\n", e);
    __asm__ volatile("" ::: "memory");
    asm("");
    return 0;
}
