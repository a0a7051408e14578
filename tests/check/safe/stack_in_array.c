//~ SAFE
/* A bounded stack in an array. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct stack { int cells[10]; int n; };

static int push(struct stack *s, int v)
{
    if (s->n >= 10)
        return 0;
    s->cells[s->n++] = v;
    return 1;
}
static int pop(struct stack *s)
{
    assert(s->n > 0);
    return s->cells[--s->n];
}

int main(void)
{
    struct stack s;
    s.n = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() && s.n > 0)
            pop(&s);
        else
            push(&s, 1);
        assert(s.n >= 0 && s.n <= 10);
    }
    return 0;
}
