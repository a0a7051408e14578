/* A stack knows its length, which is counted at the end. */
#include "relations.h"

struct stack {
    struct node *top;
    int length;
};

static void push(struct stack *s, int key)
{
    s->top = cons(key, s->top);
    s->length++;
}

static void pop(struct stack *s)
{
    struct node *n = s->top;

    if (n == NULL)
        return;
    s->top = n->next;
    MUTANT_1(if (s->top) s->length--, s->length--);
    free(n);
}

int main(void)
{
    struct stack s = { NULL, 0 };
    struct node *n;
    int count = 0;

    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() && s.length < 1000000)
            push(&s, 1);
        else
            pop(&s);
    }
    for (n = s.top; n != NULL; n = n->next)
        count++;
    assert(count == s.length MUTANT_2(+ (count > 3), ));
    return 0;
}
