//~ SAFE
/* Takes out the successor until the ring has one element. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct player { int id; struct player *next; };

int main(void)
{
    struct player *at = malloc(sizeof *at);
    at->id = 0;
    at->next = at;
    for (int i = 1; __VERIFIER_nondet_int() && i < 100; i++) {
        struct player *p = malloc(sizeof *p);
        p->id = i;
        p->next = at->next;
        at->next = p;
    }
    while (at->next != at) {
        struct player *out = at->next;
        at->next = out->next;
        free(out);
        if (__VERIFIER_nondet_int())
            at = at->next;
    }
    assert(at->next == at);
    free(at);
    return 0;
}
