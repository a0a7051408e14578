/* Builds a list of numbers between 0 and 100. */
#include "../clumping/psll.h"

extern int __VERIFIER_nondet_int(void);

/*@ requires emp;
    ensures percent(\result); */
struct psll *percent_build(void)
{
    struct psll *list = NULL;

    while (__VERIFIER_nondet_int()) {
        int value = __VERIFIER_nondet_int();

        if (value < 0 || value > 100)
        // mutant wrong-comparison: if (value < 0 || value < 100)
        // mutant one-too-many: if (value < 0 || value > 101)
            continue;
        psll_insert(&list, value);
    }
    return list;
}
