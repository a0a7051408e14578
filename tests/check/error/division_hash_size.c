/* The number of buckets may be zero. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct map { unsigned size; };

static unsigned bucket(const struct map *m, unsigned h) { return h % m->size; } //~ ERROR division-by-zero

int main(void)
{
    struct map *m = malloc(sizeof *m);
    m->size = __VERIFIER_nondet_int() ? 8 : 0;
    unsigned b = bucket(m, 21);
    free(m);
    return b == 9;
}
