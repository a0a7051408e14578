// An intrusive circular list in the style of operating system kernels: the links stand inside the objects, and
// pointer arithmetic leads from a link back to the object around it. One object is on two lists at once.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct link {
    struct link *next, *prev;
};

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

static void link_init(struct link *l)
{
    l->next = l->prev = l;
}

static void link_add(struct link *l, struct link *after)
{
    l->next = after->next;
    l->prev = after;
    after->next->prev = l;
    after->next = l;
}

static void link_remove(struct link *l)
{
    l->next->prev = l->prev;
    l->prev->next = l->next;
    link_init(l);
}

struct task {
    int id;
    struct link all;
    struct link ready;
};

int main(void)
{
    struct link all, ready;
    link_init(&all);
    link_init(&ready);
    for (int id = 0; id < 4; id++) {
        struct task *t = malloc(sizeof *t);
        if (!t)
            abort();
        t->id = id;
        link_add(&t->all, all.prev);
        link_init(&t->ready);
        if (id % 2 == 0)
            link_add(&t->ready, &ready);
    }
    for (struct link *l = ready.next; l != &ready; l = l->next)
        printf("ready %d\n", container_of(l, struct task, ready)->id);
    while (all.next != &all) {
        struct task *t = container_of(all.next, struct task, all);
        link_remove(&t->all);
        link_remove(&t->ready);
        free(t);
    }
    return ready.next == &ready ? 0 : 1;
}
