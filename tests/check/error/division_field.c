/* The field was initialised with zero and is set only sometimes. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct scale { int numerator, denominator; };

int main(void)
{
    struct scale *s = calloc(1, sizeof *s);
    s->numerator = 10;
    if (__VERIFIER_nondet_int())
        s->denominator = 2;
    int v = s->numerator / s->denominator; //~ ERROR division-by-zero
    free(s);
    return v;
}
