/* pop does not test for the empty stack. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct frame { int v; struct frame *below; };
static struct frame *top;

static void push(int v)
{
    struct frame *f = malloc(sizeof *f);
    f->v = v;
    f->below = top;
    top = f;
}
static int pop(void)
{
    struct frame *f = top;
    int v = f->v; //~ ERROR null-deref
    top = f->below;
    free(f);
    return v;
}

int main(void)
{
    while (__VERIFIER_nondet_int())
        if (__VERIFIER_nondet_int() > 0)
            push(1);
        else
            pop();
    while (top)
        pop();
    return 0;
}
