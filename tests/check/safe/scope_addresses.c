//~ SAFE
/* Addresses of locals used only while the locals live. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static void set(int *p, int v) { *p = v; }

int main(void)
{
    int outer = 0, *p = &outer;
    while (__VERIFIER_nondet_int()) {
        int inner = 1;
        p = &inner;
        set(p, 2);
        assert(inner == 2);
        p = &outer;
    }
    set(p, 3);
    assert(outer == 3);
    return 0;
}
