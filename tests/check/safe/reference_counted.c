//~ SAFE
/* The last of several owners frees. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct object { unsigned references; };

static struct object *acquire(struct object *o) { o->references++; return o; }
static void release(struct object *o)
{
    assert(o->references > 0);
    if (--o->references == 0)
        free(o);
}

int main(void)
{
    struct object *o = malloc(sizeof *o), *second = NULL;
    o->references = 1;
    if (__VERIFIER_nondet_int())
        second = acquire(o);
    release(o);
    if (second)
        release(second);
    return 0;
}
