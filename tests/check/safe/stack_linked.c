//~ SAFE
/* A stack with push, pop and top. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct frame { int value; struct frame *below; };
static struct frame *top;

static void push(int v)
{
    struct frame *f = malloc(sizeof *f);
    f->value = v;
    f->below = top;
    top = f;
}
static int pop(void)
{
    assert(top != NULL);
    struct frame *f = top;
    int v = f->value;
    top = f->below;
    free(f);
    return v;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            push(__VERIFIER_nondet_int());
        else if (top)
            pop();
    }
    while (top)
        pop();
    return 0;
}
