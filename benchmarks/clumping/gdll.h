/* Doubly linked list between two sentinels: `head` comes before the first element and is its own predecessor, `tail`
 * comes after the last one and is its own successor. Nodes are reached through functions that check their argument. */
#ifndef GDLL_H
#define GDLL_H

#include <assert.h>
#include <stdlib.h>

struct gdll_node {
    struct gdll_node *succ, *pred;
    int content;
};

struct gdll {
    struct gdll_node *head, *tail;
    unsigned long card;
};

static inline struct gdll_node *gdll_node_alloc(int content)
{
    struct gdll_node *n = malloc(sizeof *n);

    if (n == NULL)
        return NULL;
    n->succ = NULL;
    n->pred = NULL;
    n->content = content;
    return n;
}

static inline void gdll_node_free(struct gdll_node *n)
{
    assert(n != NULL);
    free(n);
}

static inline struct gdll_node *gdll_node_get_succ(struct gdll_node *n)
{
    assert(n != NULL);
    return n->succ;
}

static inline struct gdll_node *gdll_node_get_pred(struct gdll_node *n)
{
    assert(n != NULL);
    return n->pred;
}

static inline int gdll_node_get_content(struct gdll_node *n)
{
    assert(n != NULL);
    return n->content;
}

/* Makes `n` follow `p`. */
static inline void gdll_node_link(struct gdll_node *p, struct gdll_node *n)
{
    assert(p != NULL);
    assert(n != NULL);
    p->succ = n;
    n->pred = p;
}

static inline struct gdll *gdll_alloc(void)
{
    struct gdll *l = malloc(sizeof *l);

    if (l == NULL)
        return NULL;
    l->head = gdll_node_alloc(0);
    if (l->head == NULL) {
        free(l);
        return NULL;
    }
    l->tail = gdll_node_alloc(0);
    if (l->tail == NULL) {
        gdll_node_free(l->head);
        free(l);
        return NULL;
    }
    l->head->pred = l->head;
    l->tail->succ = l->tail;
    gdll_node_link(l->head, l->tail);
    l->card = 0;
    return l;
}

static inline int gdll_is_empty(struct gdll *l)
{
    assert(l != NULL);
    return gdll_node_get_succ(l->head) == l->tail;
}

static inline void gdll_insert_head(struct gdll *l, int content)
{
    struct gdll_node *n;

    assert(l != NULL);
    n = gdll_node_alloc(content);
    if (n == NULL)
        return;
    gdll_node_link(n, gdll_node_get_succ(l->head));
    gdll_node_link(l->head, n);
    l->card++;
}

static inline void gdll_insert_tail(struct gdll *l, int content)
{
    struct gdll_node *n;

    assert(l != NULL);
    n = gdll_node_alloc(content);
    if (n == NULL)
        return;
    gdll_node_link(gdll_node_get_pred(l->tail), n);
    gdll_node_link(n, l->tail);
    l->card++;
}

static inline unsigned gdll_walk(struct gdll *l)
{
    struct gdll_node *n;
    unsigned sum = 0;

    for (n = gdll_node_get_succ(l->head); n != l->tail; n = gdll_node_get_succ(n))
        sum += (unsigned)gdll_node_get_content(n);
    for (n = gdll_node_get_pred(l->tail); n != l->head; n = gdll_node_get_pred(n))
        sum -= (unsigned)gdll_node_get_content(n);
    return sum;
}

static inline void gdll_free(struct gdll *l)
{
    struct gdll_node *n, *next;

    assert(l != NULL);
    for (n = gdll_node_get_succ(l->head); n != l->tail; n = next) {
        next = gdll_node_get_succ(n);
        gdll_node_free(n);
    }
    gdll_node_free(l->head);
    gdll_node_free(l->tail);
    free(l);
}

#endif
