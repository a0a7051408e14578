/* The number in the union is taken for a pointer to a block. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int constant = 5;
struct value { int owned; union { int *block; const int *borrowed; } u; };

int main(void)
{
    struct value v;
    v.owned = __VERIFIER_nondet_int() != 0;
    if (v.owned) {
        v.u.block = malloc(sizeof(int));
        *v.u.block = 1;
    } else
        v.u.borrowed = &constant;
    free(v.u.block); //~ ERROR invalid-free
    return 0;
}
