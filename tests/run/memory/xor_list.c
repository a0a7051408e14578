#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Each node keeps the exclusive-or of its neighbours' addresses. */
struct node { int value; uintptr_t link; };

static struct node *other(struct node *n, struct node *from) { return (struct node *)(n->link ^ (uintptr_t)from); }

int main(void)
{
    struct node *first = NULL, *last = NULL;
    for (int i = 1; i <= 6; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i * i;
        n->link = (uintptr_t)last;
        if (last)
            last->link ^= (uintptr_t)n;
        else
            first = n;
        last = n;
    }
    for (int pass = 0; pass < 2; pass++) {
        struct node *from = NULL, *at = pass ? last : first;
        while (at) {
            printf("%d ", at->value);
            struct node *next = other(at, from);
            from = at;
            at = next;
        }
        putchar('\n');
    }
    struct node *from = NULL, *at = first;
    int freed = 0;
    while (at) {
        struct node *next = other(at, from);
        if (next)
            next->link ^= (uintptr_t)at;
        free(at);
        at = next;
        freed++;
    }
    return freed;
}
