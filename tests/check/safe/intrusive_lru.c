//~ SAFE
/* Elements touched are moved to the front; the oldest is dropped. */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head { struct list_head *next, *prev; };
struct page { long id; struct list_head lru; };
#define page_of(p) ((struct page *)((char *)(p) - offsetof(struct page, lru)))

static void del(struct list_head *n) { n->prev->next = n->next; n->next->prev = n->prev; }
static void add(struct list_head *n, struct list_head *h)
{
    n->next = h->next;
    n->prev = h;
    h->next->prev = n;
    h->next = n;
}

int main(void)
{
    struct list_head h = {&h, &h};
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            struct page *p = malloc(sizeof *p);
            p->id = 1;
            add(&p->lru, &h);
        } else if (h.prev != &h) {
            if (__VERIFIER_nondet_int()) {
                struct list_head *n = h.prev;
                del(n);
                add(n, &h);
            } else {
                struct page *old = page_of(h.prev);
                del(&old->lru);
                free(old);
            }
        }
    }
    while (h.next != &h) {
        struct page *p = page_of(h.next);
        del(&p->lru);
        free(p);
    }
    return 0;
}
