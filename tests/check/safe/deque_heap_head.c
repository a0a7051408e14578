//~ SAFE
/* The head of a list that knows both ends is a block of its own, and functions change it. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct cell { struct cell *prev, *next; void *data; };
struct deque { struct cell *first, *last; unsigned size; };

static int push_back(struct deque *d, void *x)
{
    struct cell *c = malloc(sizeof *c);
    if (!c)
        return 0;
    c->data = x;
    c->next = NULL;
    c->prev = d->last;
    if (d->last)
        d->last->next = c;
    else
        d->first = c;
    d->last = c;
    d->size++;
    return 1;
}

static void *pop_front(struct deque *d)
{
    struct cell *c = d->first;
    if (!c)
        return NULL;
    void *x = c->data;
    d->first = c->next;
    if (d->first)
        d->first->prev = NULL;
    else
        d->last = NULL;
    free(c);
    d->size--;
    return x;
}

static void *pop_back(struct deque *d)
{
    struct cell *c = d->last;
    if (!c)
        return NULL;
    void *x = c->data;
    d->last = c->prev;
    if (d->last)
        d->last->next = NULL;
    else
        d->first = NULL;
    free(c);
    d->size--;
    return x;
}

int main(void)
{
    struct deque *d = calloc(1, sizeof *d);
    if (!d)
        return 1;
    while (__VERIFIER_nondet_int()) {
        int *x = malloc(sizeof *x);
        if (!x)
            break;
        *x = 1;
        if (!push_back(d, x)) {
            free(x);
            break;
        }
        if (__VERIFIER_nondet_int())
            free(pop_back(d));
    }
    void *x;
    while ((x = pop_front(d)))
        free(x);
    free(d);
    return 0;
}
