/* pop forgets to free the frame. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct frame { int v; struct frame *below; };

static int pop(struct frame **top)
{
    int v = (*top)->v;
    *top = (*top)->below; //~ ERROR leak
    return v;
}

int main(void)
{
    struct frame *top = NULL;
    while (__VERIFIER_nondet_int()) {
        struct frame *f = malloc(sizeof *f);
        f->v = 1;
        f->below = top;
        top = f;
    }
    if (top)
        pop(&top);
    while (top) {
        struct frame *f = top;
        top = f->below;
        free(f);
    }
    return 0;
}
