#include <stdio.h>
#include <stdlib.h>

typedef struct entry entry;
struct entry { entry *prev, *next; char tag; };
typedef struct { entry *first, *last; int length; } deque;

static void push_back(deque *d, char tag)
{
    entry *e = malloc(sizeof *e);
    *e = (entry){.prev = d->last, .tag = tag};
    if (d->last)
        d->last->next = e;
    else
        d->first = e;
    d->last = e;
    d->length++;
}
static void push_front(deque *d, char tag)
{
    entry *e = malloc(sizeof *e);
    e->prev = NULL, e->next = d->first, e->tag = tag;
    *(d->first ? &d->first->prev : &d->last) = e;
    d->first = e;
    d->length++;
}
static char take(deque *d, entry *e)
{
    char tag = e->tag;
    *(e->prev ? &e->prev->next : &d->first) = e->next;
    *(e->next ? &e->next->prev : &d->last) = e->prev;
    free(e);
    d->length--;
    return tag;
}
static void show(const deque *d)
{
    for (const entry *e = d->first; e; e = e->next)
        putchar(e->tag);
    putchar('/');
    for (const entry *e = d->last; e; e = e->prev)
        putchar(e->tag);
    printf(" %d\n", d->length);
}

int main(void)
{
    deque d = {0};
    for (char c = 'a'; c <= 'f'; c++)
        (c % 2 ? push_back : push_front)(&d, c);
    show(&d);
    for (entry *e = d.first, *next; e; e = next) {
        next = e->next;
        if (e->tag == 'a' || e->tag == 'd')
            take(&d, e);
    }
    show(&d);
    while (d.length > 1) {
        putchar(take(&d, d.first));
        putchar(take(&d, d.last));
    }
    putchar('\n');
    show(&d);
    return d.length;
}
