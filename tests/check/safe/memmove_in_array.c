//~ SAFE
/* Elements of a fixed array shifted to make room. */
#include <assert.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int v[6] = {1, 2, 3, 4, 5, 0};
    int at = __VERIFIER_nondet_int();
    if (at < 0 || at > 4)
        at = 0;
    memmove(v + at + 1, v + at, (5 - at) * sizeof *v);
    v[at] = 9;
    assert(v[at] == 9);
    assert(v[5] == 5 || at == 5);
    return 0;
}
