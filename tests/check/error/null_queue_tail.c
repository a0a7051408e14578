/* The tail is not reset when the queue runs empty: here it was never set. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job { struct job *next; };
struct queue { struct job *head, *tail; };

static void put(struct queue *q)
{
    struct job *j = malloc(sizeof *j);
    j->next = NULL;
    if (!q->head)
        q->head = j;
    q->tail->next = j; //~ ERROR null-deref
    q->tail = j;
}

int main(void)
{
    struct queue q = {NULL, NULL};
    while (__VERIFIER_nondet_int())
        put(&q);
    while (q.head) {
        struct job *j = q.head;
        q.head = j->next;
        free(j);
    }
    return 0;
}
