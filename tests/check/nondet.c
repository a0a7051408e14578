/* Gives the programs of this directory their inputs when they are run natively.
 * The values come from a generator seeded with the environment variable HEAPWISE_SEED;
 * they are biased to zero and to small numbers, so that `while (nondet())` loops end. */
#include <stdlib.h>

static unsigned long long state;

static unsigned draw(void)
{
    if (state == 0) {
        const char *seed = getenv("HEAPWISE_SEED");
        state = 0x9e3779b97f4a7c15ULL * ((seed ? strtoull(seed, NULL, 10) : 0) + 1);
        for (int i = 0; i < 4; i++)
            draw();
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 32);
}

int __VERIFIER_nondet_int(void)
{
    unsigned kind = draw() % 20;
    if (kind < 8)
        return 0;
    if (kind < 16)
        return 1 + (int)(draw() % 4);
    if (kind < 18)
        return -1 - (int)(draw() % 4);
    if (kind < 19)
        return (int)(draw() % 100);
    return (int)draw();
}

unsigned __VERIFIER_nondet_uint(void) { return (unsigned)__VERIFIER_nondet_int(); }
char __VERIFIER_nondet_char(void) { return (char)__VERIFIER_nondet_int(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)__VERIFIER_nondet_int(); }
short __VERIFIER_nondet_short(void) { return (short)__VERIFIER_nondet_int(); }
long __VERIFIER_nondet_long(void) { return __VERIFIER_nondet_int(); }
_Bool __VERIFIER_nondet_bool(void) { return draw() & 1; }
