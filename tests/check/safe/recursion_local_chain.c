//~ SAFE
//~ TODO budget: the entries of a recursive function do not stabilise
/* A list of stack objects: every activation links its own local. Runs prove it; the analysis alone does not, since only
   blocks of the heap become elements of structures. The locals of all callers stay objects, and each call is on one more. */
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct scope { int depth; struct scope *outer; };

static int walk(const struct scope *s)
{
    int ok = 1;
    for (; s; s = s->outer)
        if (s->depth < 0)
            ok = 0;
    return ok;
}
static void enter(struct scope *outer, int depth)
{
    struct scope here = {depth, outer};
    assert(walk(&here));
    if (depth < 50 && __VERIFIER_nondet_int())
        enter(&here, depth + 1);
}

int main(void)
{
    enter(NULL, 0);
    return 0;
}
