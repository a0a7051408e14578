/* A state may be left out. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { IDLE, OPEN, CLOSED };
struct conn { int state; };

int main(void)
{
    struct conn *c = malloc(sizeof *c);
    c->state = IDLE;
    while (__VERIFIER_nondet_int())
        if (__VERIFIER_nondet_int())
            c->state = OPEN;
        else
            c->state = CLOSED;
    int s = c->state;
    free(c);
    assert(s != CLOSED); //~ ERROR assertion
    return 0;
}
