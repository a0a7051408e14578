/* The embedded link is freed instead of its container. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head { struct list_head *next, *prev; };
struct item { int v; struct list_head list; };

int main(void)
{
    struct list_head head = {&head, &head};
    while (__VERIFIER_nondet_int()) {
        struct item *i = malloc(sizeof *i);
        i->v = 1;
        i->list.next = head.next;
        i->list.prev = &head;
        head.next->prev = &i->list;
        head.next = &i->list;
    }
    while (head.next != &head) {
        struct list_head *n = head.next;
        head.next = n->next;
        n->next->prev = &head;
        free(n); //~ ERROR invalid-free
    }
    return 0;
}
