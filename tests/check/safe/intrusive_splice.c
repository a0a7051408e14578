//~ SAFE
/* One list is moved into another in constant time. */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct head { struct head *next, *prev; };
struct rec { int a; struct head h; };
#define REC(p) ((struct rec *)((char *)(p) - offsetof(struct rec, h)))

static void fill(struct head *l)
{
    l->next = l->prev = l;
    while (__VERIFIER_nondet_int()) {
        struct rec *r = malloc(sizeof *r);
        r->a = 1;
        r->h.next = l;
        r->h.prev = l->prev;
        l->prev->next = &r->h;
        l->prev = &r->h;
    }
}
static void splice(struct head *from, struct head *to)
{
    if (from->next == from)
        return;
    from->next->prev = to->prev;
    to->prev->next = from->next;
    from->prev->next = to;
    to->prev = from->prev;
    from->next = from->prev = from;
}

int main(void)
{
    struct head a, b;
    fill(&a);
    fill(&b);
    splice(&b, &a);
    for (struct head *p = a.next; p != &a;) {
        struct rec *r = REC(p);
        p = p->next;
        free(r);
    }
    return b.next == &b ? 0 : 1;
}
