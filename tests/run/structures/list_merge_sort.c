#include <stdio.h>
#include <stdlib.h>

struct cell { int value; int order; struct cell *next; };

static struct cell *merge(struct cell *a, struct cell *b)
{
    struct cell *head, **tail = &head;
    while (a && b) {
        struct cell **least = b->value < a->value ? &b : &a;
        *tail = *least;
        *least = (*least)->next;
        tail = &(*tail)->next;
    }
    *tail = a ? a : b;
    return head;
}
static struct cell *sort(struct cell *list)
{
    if (!list || !list->next)
        return list;
    struct cell *slow = list, *fast = list->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct cell *half = slow->next;
    slow->next = NULL;
    return merge(sort(list), sort(half));
}

int main(void)
{
    struct cell *list = NULL;
    for (int i = 0; i < 30; i++) {
        struct cell *c = malloc(sizeof *c);
        c->value = i * i % 17;
        c->order = -i;
        c->next = list;
        list = c;
    }
    list = sort(list);
    int stable = 1, n = 0;
    for (struct cell *c = list; c; c = c->next, n++) {
        printf("%d ", c->value);
        if (c->next && c->next->value == c->value && c->next->order < c->order)
            stable = 0;
    }
    printf("\n%d %d\n", n, stable);
    while (list) {
        struct cell *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
