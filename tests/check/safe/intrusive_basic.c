//~ SAFE
/* Kernel-style list: links inside the elements, recovered with container_of. */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head { struct list_head *next, *prev; };
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

struct item { int value; struct list_head list; };

static void list_add(struct list_head *n, struct list_head *head)
{
    n->next = head->next;
    n->prev = head;
    head->next->prev = n;
    head->next = n;
}
static void list_del(struct list_head *n)
{
    n->next->prev = n->prev;
    n->prev->next = n->next;
}

int main(void)
{
    struct list_head head = {&head, &head};
    while (__VERIFIER_nondet_int()) {
        struct item *i = malloc(sizeof *i);
        i->value = 3;
        list_add(&i->list, &head);
    }
    while (head.next != &head) {
        struct item *i = container_of(head.next, struct item, list);
        list_del(&i->list);
        i->value = 0;
        free(i);
    }
    return 0;
}
