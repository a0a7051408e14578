/* A freed block is the source of a copy. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct rec { int a, b, c; };

int main(void)
{
    struct rec *r = malloc(sizeof *r), copy = {0, 0, 0};
    r->a = r->b = r->c = 1;
    int early = __VERIFIER_nondet_int();
    if (early)
        free(r);
    memcpy(&copy, r, sizeof copy); //~ ERROR use-after-free
    if (!early)
        free(r);
    return copy.c;
}
