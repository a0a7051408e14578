// A queue as a doubly linked list with a sentinel: insertion and removal anywhere in constant time.
// Every operation must keep `n->next->prev == n` for all nodes.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *prev, *next;
    int value;
};

static void init(struct node *q)
{
    q->prev = q->next = q;
}

static void insert_before(struct node *at, int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->value = value;
    n->prev = at->prev;
    n->next = at;
    at->prev->next = n;
    at->prev = n;
}

static int take(struct node *n)
{
    int value = n->value;
    n->prev->next = n->next;
    n->next->prev = n->prev;
    free(n);
    return value;
}

int main(void)
{
    struct node queue;
    init(&queue);
    for (int i = 0; i < 6; i++)
        insert_before(i % 2 ? queue.next : &queue, i);
    int last = 6;
    while (queue.next != &queue) {
        assert(queue.next->prev == &queue);
        last = take(queue.next);
        printf("%d ", last);
    }
    putchar('\n');
    return last == 4 ? 0 : 1;
}
