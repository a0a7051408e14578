/* A bounded stack without a check on push. */
extern int __VERIFIER_nondet_int(void);

struct stack { int n; int cells[3]; };

static void push(struct stack *s, int v)
{
    s->cells[s->n] = v; //~ ERROR out-of-bounds
    s->n++;
}

int main(void)
{
    struct stack s;
    s.n = 0;
    while (__VERIFIER_nondet_int())
        push(&s, 1);
    return 0;
}
