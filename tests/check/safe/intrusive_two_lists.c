//~ SAFE
/* Each element is a member of two lists at once. */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head { struct list_head *next, *prev; };
#define entry(ptr, member) ((struct thing *)((char *)(ptr) - offsetof(struct thing, member)))

struct thing { struct list_head all; int x; struct list_head active; };

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
    n->next = n->prev = n;
}

int main(void)
{
    struct list_head all = {&all, &all}, active = {&active, &active};
    while (__VERIFIER_nondet_int()) {
        struct thing *t = malloc(sizeof *t);
        t->x = 0;
        add(&t->all, &all);
        add(&t->active, &active);
    }
    while (active.next != &active) {
        struct thing *t = entry(active.next, active);
        del(&t->active);
        t->x++;
    }
    while (all.next != &all) {
        struct thing *t = entry(all.next, all);
        del(&t->all);
        free(t);
    }
    return 0;
}
