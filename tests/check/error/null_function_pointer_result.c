/* One of the functions in the table returns null. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int *fresh(void)
{
    int *p = malloc(sizeof *p);
    *p = 0;
    return p;
}
static int *nothing(void) { return NULL; }
static int *(*const makers[2])(void) = {fresh, nothing};

int main(void)
{
    int *p = makers[__VERIFIER_nondet_int() != 0]();
    *p = 1; //~ ERROR null-deref
    free(p);
    return 0;
}
