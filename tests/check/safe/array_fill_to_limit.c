//~ SAFE
/* An array of symbolic size filled by a pointer that is compared with its end. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int *a = malloc(n * sizeof *a);
    if (!a)
        return 0;
    int *p = a, *end = a + n;
    while (p < end) {
        *p = 7;
        p++;
    }
    long sum = 0;
    for (int i = n; i-- > 0;)
        sum += a[i];
    free(a);
    return sum == 0;
}
