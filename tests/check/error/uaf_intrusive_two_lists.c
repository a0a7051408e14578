/* The element is taken out of one list only, then freed; the other list still holds it. */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head { struct list_head *next, *prev; };
struct thing { struct list_head all, active; int x; };

static void init(struct list_head *h) { h->next = h->prev = h; }
static void add(struct list_head *n, struct list_head *h)
{
    n->next = h->next;
    n->prev = h;
    h->next->prev = n;
    h->next = n;
}
static void del(struct list_head *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
}

int main(void)
{
    struct list_head all, active;
    init(&all);
    init(&active);
    struct thing *t = malloc(sizeof *t);
    t->x = 0;
    add(&t->all, &all);
    if (__VERIFIER_nondet_int())
        add(&t->active, &active);
    del(&t->all);
    free(t);
    for (struct list_head *p = active.next; p != &active; p = p->next) //~ ERROR use-after-free
        ;
    return 0;
}
