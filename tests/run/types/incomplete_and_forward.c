#include <stdio.h>
#include <stdlib.h>

struct queue;
typedef struct queue queue_t;
queue_t *queue_new(void);
void queue_push(queue_t *, int);
int queue_pop(queue_t *);
extern int later[];
static int sum_later(void);
struct a; struct b;
struct a { struct b *b; int v; };
struct b { struct a *a; int v; };

int main(void)
{
    queue_t *q = queue_new();
    for (int i = 0; i < 5; i++)
        queue_push(q, i * i);
    int total = 0;
    for (int i = 0; i < 5; i++)
        total = total * 10 + queue_pop(q) % 10;
    printf("%d\n", total);
    free(q);
    printf("%d %d\n", later[1], sum_later());
    struct a x;
    struct b y = {&x, 2};
    x.b = &y, x.v = 1;
    printf("%d\n", x.b->a->b->v + y.a->v);
    return 0;
}

struct queue { int cells[8]; unsigned head, tail; };
queue_t *queue_new(void) { return calloc(1, sizeof(queue_t)); }
void queue_push(queue_t *q, int v) { q->cells[q->tail++ % 8] = v; }
int queue_pop(queue_t *q) { return q->cells[q->head++ % 8]; }
int later[] = {4, 5, 6};
static int sum_later(void)
{
    int s = 0;
    for (unsigned i = 0; i < sizeof later / sizeof later[0]; i++)
        s += later[i];
    return s;
}
