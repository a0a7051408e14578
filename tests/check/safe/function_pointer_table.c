//~ SAFE
/* Operations chosen from a table by an input within bounds. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int *make(int *p) { if (!p) { p = malloc(sizeof *p); *p = 0; } return p; }
static int *use(int *p) { if (p) *p = 1; return p; }
static int *drop(int *p) { free(p); return NULL; }

static int *(*const table[])(int *) = {make, use, drop};

int main(void)
{
    int *p = NULL;
    while (__VERIFIER_nondet_int()) {
        int which = __VERIFIER_nondet_int();
        if (which >= 0 && which < 3)
            p = table[which](p);
    }
    p = drop(p);
    assert(p == NULL);
    return 0;
}
