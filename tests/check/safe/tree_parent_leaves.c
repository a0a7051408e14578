//~ SAFE
/* Leaves are taken off a tree, one after the other, until nothing is left; each is told from its sibling by its parent. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct part { struct part *first, *second, *whole; char *name; };

static struct part *make(struct part *whole)
{
    if (__VERIFIER_nondet_int() < 0)
        return NULL;
    struct part *p = malloc(sizeof *p);
    p->whole = whole;
    p->name = malloc(8);
    p->first = make(p);
    p->second = make(p);
    return p;
}
static struct part *leaf(struct part *p)
{
    while (p->first || p->second)
        p = p->first ? p->first : p->second;
    return p;
}

int main(void)
{
    struct part *at = make(NULL);
    while (at) {
        at = leaf(at);
        struct part *whole = at->whole;
        if (whole && whole->first == at)
            whole->first = NULL;
        else if (whole)
            whole->second = NULL;
        free(at->name);
        free(at);
        at = whole;
    }
    return 0;
}
