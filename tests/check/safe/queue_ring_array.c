//~ SAFE
/* A ring buffer of eight cells. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int cells[8];
static unsigned head, tail;

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (tail - head < 8)
                cells[tail++ % 8] = 1;
        } else if (head != tail) {
            int v = cells[head++ % 8];
            assert(v == 0 || v == 1);
        }
    }
    return 0;
}
