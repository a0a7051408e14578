//~ SAFE
/* The sentinel lies on the heap and is the last to go. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct ring { int v; struct ring *next, *prev; };

static struct ring *ring_new(void)
{
    struct ring *r = malloc(sizeof *r);
    r->v = -1;
    r->next = r->prev = r;
    return r;
}
static void ring_add(struct ring *r, int v)
{
    struct ring *n = malloc(sizeof *n);
    n->v = v;
    n->next = r;
    n->prev = r->prev;
    r->prev->next = n;
    r->prev = n;
}

int main(void)
{
    struct ring *r = ring_new();
    while (__VERIFIER_nondet_int())
        ring_add(r, 4);
    for (struct ring *p = r->next; p != r; p = p->next)
        assert(p->v == 4);
    for (struct ring *p = r->next; p != r;) {
        struct ring *next = p->next;
        free(p);
        p = next;
    }
    free(r);
    return 0;
}
