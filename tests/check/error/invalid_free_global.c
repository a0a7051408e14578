/* A default object in static memory reaches free. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int fallback = 7;

static int *lookup(int key)
{
    if (key == 0)
        return &fallback;
    int *p = malloc(sizeof *p);
    *p = key;
    return p;
}

int main(void)
{
    int *p = lookup(__VERIFIER_nondet_int());
    free(p); //~ ERROR invalid-free
    return 0;
}
