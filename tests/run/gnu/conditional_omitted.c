#include <stdio.h>

static int calls;
static int next(void) { return ++calls; }
static const char *or_default(const char *s) { return s ?: "default"; }

int main(void)
{
    printf("%s %s\n", or_default("given"), or_default(0));
    int v = next() ?: 100;          /* the first operand is evaluated once */
    printf("%d %d\n", v, calls);
    int zero = 0;
    printf("%d %d\n", zero ?: -1, 5 ?: -1);
    printf("%d\n", zero ?: zero ?: 7);
    printf("%g\n", 0.0 ?: 2.5);
    printf("%d\n", (zero ?: 3) + 1);
    int a[3] = {1, 2, 3}, *p = 0;
    printf("%d\n", *(p ?: a + 1));
    unsigned char c = 0;
    printf("%d\n", c-- ?: 9);
    printf("%d\n", c);
    return 0;
}
