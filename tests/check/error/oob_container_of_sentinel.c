/* The list head itself is taken for an element. */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head { struct list_head *next, *prev; };
struct item { long value[4]; struct list_head list; };

int main(void)
{
    struct list_head *head = malloc(sizeof *head);
    head->next = head->prev = head;
    while (__VERIFIER_nondet_int()) {
        struct item *i = malloc(sizeof *i);
        for (int k = 0; k < 4; k++)
            i->value[k] = k;
        i->list.next = head->next;
        i->list.prev = head;
        head->next->prev = &i->list;
        head->next = &i->list;
    }
    struct item *first = (struct item *)((char *)head->next - offsetof(struct item, list));
    long v = first->value[3]; //~ ERROR out-of-bounds
    while (head->next != head) {
        struct list_head *n = head->next;
        head->next = n->next;
        free((char *)n - offsetof(struct item, list));
    }
    free(head);
    return v == 99;
}
