//~ SAFE
/* Two lists joined end to end. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell { int x; struct cell *link; };

static struct cell *make(int x)
{
    struct cell *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct cell *c = malloc(sizeof *c);
        c->x = x;
        c->link = list;
        list = c;
    }
    return list;
}

static struct cell *join(struct cell *a, struct cell *b)
{
    if (!a)
        return b;
    struct cell *last = a;
    while (last->link)
        last = last->link;
    last->link = b;
    return a;
}

int main(void)
{
    struct cell *all = join(make(1), join(make(2), make(3)));
    while (all) {
        struct cell *c = all;
        all = all->link;
        free(c);
    }
    return 0;
}
