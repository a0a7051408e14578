//~ SAFE
/* A queue with pointers to both ends. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job { int id; struct job *next; };
struct queue { struct job *head, *tail; };

static void put(struct queue *q, int id)
{
    struct job *j = malloc(sizeof *j);
    j->id = id;
    j->next = NULL;
    if (q->head == NULL)
        q->head = j;
    else
        q->tail->next = j;
    q->tail = j;
}
static int get(struct queue *q)
{
    struct job *j = q->head;
    int id = j->id;
    q->head = j->next;
    if (q->head == NULL)
        q->tail = NULL;
    free(j);
    return id;
}

int main(void)
{
    struct queue q = {0};
    while (__VERIFIER_nondet_int()) {
        put(&q, 1);
        if (__VERIFIER_nondet_int())
            get(&q);
    }
    while (q.head)
        get(&q);
    return 0;
}
