#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Circular lists whose links lie inside the elements. */
struct list_head { struct list_head *next, *prev; };
#define LIST_HEAD(name) struct list_head name = {&(name), &(name)}
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
#define list_for_each(pos, head) for (pos = (head)->next; pos != (head); pos = pos->next)
#define list_for_each_entry(pos, head, member) \
    for (pos = container_of((head)->next, __typeof__(*pos), member); &pos->member != (head); \
         pos = container_of(pos->member.next, __typeof__(*pos), member))
#define list_for_each_safe(pos, n, head) for (pos = (head)->next, n = pos->next; pos != (head); pos = n, n = pos->next)

static void between(struct list_head *n, struct list_head *a, struct list_head *b)
{
    b->prev = n, n->next = b, n->prev = a, a->next = n;
}
static void list_add(struct list_head *n, struct list_head *h) { between(n, h, h->next); }
static void list_add_tail(struct list_head *n, struct list_head *h) { between(n, h->prev, h); }
static void list_del(struct list_head *n) { n->prev->next = n->next; n->next->prev = n->prev; }

struct task { int id; struct list_head all; int priority; struct list_head ready; };

int main(void)
{
    LIST_HEAD(all);
    LIST_HEAD(ready);
    for (int i = 0; i < 6; i++) {
        struct task *t = malloc(sizeof *t);
        t->id = i;
        t->priority = i * 7 % 5;
        list_add_tail(&t->all, &all);
        if (t->priority > 1)
            list_add(&t->ready, &ready);
        else
            t->ready.next = t->ready.prev = &t->ready;
    }
    struct task *t;
    list_for_each_entry(t, &all, all)
        printf("%d(%d) ", t->id, t->priority);
    putchar('\n');
    list_for_each_entry(t, &ready, ready)
        printf("%d ", t->id);
    putchar('\n');
    struct list_head *p, *n;
    list_for_each_safe(p, n, &all) {
        t = container_of(p, struct task, all);
        if (t->id % 3 == 0) {
            list_del(&t->all);
            list_del(&t->ready);
            free(t);
        }
    }
    int count = 0;
    list_for_each(p, &ready)
        count += container_of(p, struct task, ready)->id;
    printf("%d\n", count);
    list_for_each_safe(p, n, &all)
        free(container_of(p, struct task, all));
    return 0;
}
