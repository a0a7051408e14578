/* An element that is taken out is not counted: the queue seems to have a last element. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item { struct item *next; };
struct queue { struct item *first, *last; size_t length; };

static void put(struct queue *q)
{
    struct item *item = malloc(sizeof *item);
    if (!item)
        abort();
    item->next = NULL;
    if (q->length == 0)
        q->first = item;
    else
        q->last->next = item;
    q->last = item;
    q->length++;
}

int main(void)
{
    struct queue q = { NULL, NULL, 0 };
    while (__VERIFIER_nondet_int())
        put(&q);
    while (q.length > 1) {
        struct item *item = q.first;
        q.first = item->next; //~ ERROR null-deref
        if (__VERIFIER_nondet_int())
            q.length--;
        free(item);
    }
    free(q.first);
    return 0;
}
