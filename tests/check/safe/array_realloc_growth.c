//~ SAFE
/* A growing vector with realloc. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned room = 2, used = 0;
    int *v = malloc(room * sizeof *v);
    while (__VERIFIER_nondet_int() && used < 16) {
        if (used == room) {
            room *= 2;
            v = realloc(v, room * sizeof *v);
        }
        v[used++] = 1;
    }
    for (unsigned i = 0; i < used; i++)
        if (v[i] != 1)
            abort();
    free(v);
    return 0;
}
