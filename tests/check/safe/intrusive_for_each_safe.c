//~ SAFE
/* Removal while iterating, with the next position saved. */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head { struct list_head *next, *prev; };
#define list_entry(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define list_for_each_safe(pos, n, head) for (pos = (head)->next, n = pos->next; pos != (head); pos = n, n = pos->next)

struct task { struct list_head node; int priority; };

static void add_tail(struct list_head *n, struct list_head *head)
{
    struct list_head *last = head->prev;
    n->next = head;
    n->prev = last;
    last->next = n;
    head->prev = n;
}

int main(void)
{
    struct list_head queue, *pos, *n;
    queue.next = queue.prev = &queue;
    while (__VERIFIER_nondet_int()) {
        struct task *t = malloc(sizeof *t);
        t->priority = __VERIFIER_nondet_int();
        add_tail(&t->node, &queue);
    }
    list_for_each_safe(pos, n, &queue) {
        struct task *t = list_entry(pos, struct task, node);
        if (t->priority > 0) {
            pos->prev->next = pos->next;
            pos->next->prev = pos->prev;
            free(t);
        }
    }
    list_for_each_safe(pos, n, &queue)
        free(list_entry(pos, struct task, node));
    return 0;
}
