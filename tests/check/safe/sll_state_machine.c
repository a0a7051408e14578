//~ SAFE
/* Elements carry states that only move forwards. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum state { FRESH, BUSY, DONE };
struct task { enum state state; struct task *next; };

int main(void)
{
    struct task *all = NULL;
    while (__VERIFIER_nondet_int()) {
        struct task *t = malloc(sizeof *t);
        t->state = FRESH;
        t->next = all;
        all = t;
    }
    for (struct task *t = all; t; t = t->next)
        if (__VERIFIER_nondet_int())
            t->state = BUSY;
    for (struct task *t = all; t; t = t->next) {
        assert(t->state == FRESH || t->state == BUSY);
        t->state = DONE;
    }
    while (all) {
        assert(all->state == DONE);
        struct task *next = all->next;
        free(all);
        all = next;
    }
    return 0;
}
