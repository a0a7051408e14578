//~ SAFE
/* The queue object itself lies on the heap. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };
struct queue { struct node *in, *out; };

static struct queue *queue_new(void)
{
    struct queue *q = malloc(sizeof *q);
    q->in = q->out = NULL;
    return q;
}
/* two stacks: pushed on one, taken from the other */
static void enqueue(struct queue *q)
{
    struct node *n = malloc(sizeof *n);
    n->next = q->in;
    q->in = n;
}
static struct node *dequeue(struct queue *q)
{
    if (!q->out)
        while (q->in) {
            struct node *n = q->in;
            q->in = n->next;
            n->next = q->out;
            q->out = n;
        }
    struct node *n = q->out;
    if (n)
        q->out = n->next;
    return n;
}

int main(void)
{
    struct queue *q = queue_new();
    while (__VERIFIER_nondet_int()) {
        enqueue(q);
        if (__VERIFIER_nondet_int())
            free(dequeue(q));
    }
    struct node *n;
    while ((n = dequeue(q)))
        free(n);
    free(q);
    return 0;
}
