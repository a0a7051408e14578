//~ SAFE
/* What was pushed last is popped first. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell { int v; struct cell *next; };

static struct cell *push(struct cell *s, int v)
{
    struct cell *c = malloc(sizeof *c);
    c->v = v;
    c->next = s;
    return c;
}
static struct cell *pop(struct cell *s, int *v)
{
    struct cell *rest = s->next;
    *v = s->v;
    free(s);
    return rest;
}

int main(void)
{
    struct cell *s = NULL;
    while (__VERIFIER_nondet_int())
        s = push(s, 0);
    int in = __VERIFIER_nondet_int(), out;
    s = push(s, in);
    s = pop(s, &out);
    assert(in == out);
    while (s)
        s = pop(s, &out);
    return 0;
}
