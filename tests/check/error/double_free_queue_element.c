/* The caller frees what the queue has freed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job { struct job *next; };
struct queue { struct job *head, *tail; };

static struct job *take(struct queue *q, int keep)
{
    struct job *j = q->head;
    q->head = j->next;
    if (!q->head)
        q->tail = NULL;
    if (!keep)
        free(j);
    return j;
}

int main(void)
{
    struct queue q = {NULL, NULL};
    do {
        struct job *j = malloc(sizeof *j);
        j->next = NULL;
        if (q.tail)
            q.tail->next = j;
        else
            q.head = j;
        q.tail = j;
    } while (__VERIFIER_nondet_int());
    struct job *j = take(&q, __VERIFIER_nondet_int());
    free(j); //~ ERROR double-free
    while (q.head)
        take(&q, 0);
    return 0;
}
