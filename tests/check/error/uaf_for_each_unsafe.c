/* Frees elements while iterating without saving the next position. */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head { struct list_head *next, *prev; };
struct item { int v; struct list_head list; };
#define entry(p) ((struct item *)((char *)(p) - offsetof(struct item, list)))

int main(void)
{
    struct list_head head = {&head, &head};
    while (__VERIFIER_nondet_int()) {
        struct item *i = malloc(sizeof *i);
        i->v = 0;
        i->list.next = head.next;
        i->list.prev = &head;
        head.next->prev = &i->list;
        head.next = &i->list;
    }
    struct list_head *p = head.next;
    while (p != &head) {
        free(entry(p));
        p = p->next; //~ ERROR use-after-free
    }
    return 0;
}
