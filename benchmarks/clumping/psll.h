/* Singly linked list of numbers, for the operations that relink it as a whole. */
#ifndef PSLL_H
#define PSLL_H

#include <stdlib.h>

struct psll {
    struct psll *next;
    int value;
};

static inline void psll_insert(struct psll **list, int value)
{
    struct psll *item = malloc(sizeof *item);

    if (item == NULL)
        abort();
    item->value = value;
    item->next = *list;
    *list = item;
}

static inline unsigned psll_walk(const struct psll *list)
{
    unsigned sum = 0;

    while (list) {
        sum += (unsigned)list->value;
        list = list->next;
    }
    return sum;
}

static inline void psll_destroy(struct psll *list)
{
    while (list) {
        struct psll *next = list->next;

        free(list);
        list = next;
    }
}

#endif
