//~ SAFE
/* Even and odd elements have different types; two functions build and two destroy. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct odd;
struct even { int a; struct odd *next; };
struct odd { int b; struct even *next; };

static struct odd *make_odd(void);
static struct even *make_even(void)
{
    if (!__VERIFIER_nondet_int())
        return NULL;
    struct even *e = malloc(sizeof *e);
    e->a = 0;
    e->next = make_odd();
    return e;
}
static struct odd *make_odd(void)
{
    if (!__VERIFIER_nondet_int())
        return NULL;
    struct odd *o = malloc(sizeof *o);
    o->b = 1;
    o->next = make_even();
    return o;
}
static void free_odd(struct odd *);
static void free_even(struct even *e)
{
    if (e) {
        free_odd(e->next);
        free(e);
    }
}
static void free_odd(struct odd *o)
{
    if (o) {
        free_even(o->next);
        free(o);
    }
}

int main(void)
{
    free_even(make_even());
    return 0;
}
