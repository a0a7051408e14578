//~ SAFE
/* Iterative destruction with an explicit stack of nodes still to visit. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree { struct tree *l, *r; };
struct todo { struct tree *t; struct todo *next; };

static struct todo *push(struct todo *s, struct tree *t)
{
    if (!t)
        return s;
    struct todo *n = malloc(sizeof *n);
    n->t = t;
    n->next = s;
    return n;
}
static struct tree *grow(void)
{
    if (__VERIFIER_nondet_int() <= 0)
        return NULL;
    struct tree *t = malloc(sizeof *t);
    t->l = grow();
    t->r = grow();
    return t;
}

int main(void)
{
    struct todo *work = push(NULL, grow());
    while (work) {
        struct todo *top = work;
        struct tree *t = top->t;
        work = top->next;
        free(top);
        work = push(work, t->l);
        work = push(work, t->r);
        free(t);
    }
    return 0;
}
