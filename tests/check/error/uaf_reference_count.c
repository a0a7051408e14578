/* A second owner does not count itself. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct object { unsigned references; int v; };

static void release(struct object *o)
{
    if (--o->references == 0) //~ ERROR use-after-free
        free(o);
}

int main(void)
{
    struct object *o = malloc(sizeof *o), *second = NULL;
    o->references = 1;
    o->v = 0;
    if (__VERIFIER_nondet_int())
        second = o;
    release(o);
    if (second)
        release(second);
    return 0;
}
