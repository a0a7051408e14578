//~ SAFE
/* A queue that knows how long it is; its length says whether there is a last element. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item { struct item *next; int value; };
struct queue { struct item *first, *last; size_t length; };

static void put(struct queue *q, int value)
{
    struct item *item = malloc(sizeof *item);
    if (!item)
        abort();
    item->value = value;
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
        put(&q, 7);
    while (q.length > 0) {
        struct item *item = q.first;
        q.first = item->next;
        q.length--;
        free(item);
    }
    return 0;
}
