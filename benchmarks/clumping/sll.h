/* Singly linked list of numbers, ended by NULL. */
#ifndef SLL_H
#define SLL_H

#include <stdlib.h>

struct sll {
    struct sll *next;
    int data;
};

static inline struct sll *sll_push(struct sll *l, int data)
{
    struct sll *n = malloc(sizeof *n);

    if (n == NULL)
        return l;
    n->next = l;
    n->data = data;
    return n;
}

static inline unsigned sll_walk(struct sll *l)
{
    unsigned sum = 0;

    for (; l != NULL; l = l->next)
        sum += (unsigned)l->data;
    return sum;
}

static inline void sll_destroy(struct sll *l)
{
    while (l != NULL) {
        struct sll *next = l->next;

        free(l);
        l = next;
    }
}

#endif
