/* The pointer is compared with the end in the wrong way. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 10)
        return 0;
    int *a = calloc(n, sizeof *a);
    if (!a)
        return 0;
    int *p = a, *end = a + n;
    while (p <= end) {
        *p = 7; //~ ERROR out-of-bounds
        p++;
    }
    free(a);
    return 0;
}
