#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A pool of fixed cells; free cells hold the index of the next one. */
enum { CELLS = 6 };
union cell { int next; struct { double weight; char name[8]; } item; };
struct pool { union cell cells[CELLS]; int first, live; };

static void pool_init(struct pool *p)
{
    for (int i = 0; i < CELLS; i++)
        p->cells[i].next = i + 1 < CELLS ? i + 1 : -1;
    p->first = p->live = 0;
}
static union cell *pool_take(struct pool *p)
{
    if (p->first < 0)
        return NULL;
    union cell *c = &p->cells[p->first];
    p->first = c->next;
    p->live++;
    return c;
}
static void pool_give(struct pool *p, union cell *c)
{
    c->next = p->first;
    p->first = (int)(c - p->cells);
    p->live--;
}

int main(void)
{
    struct pool p;
    pool_init(&p);
    union cell *held[CELLS + 1];
    for (int i = 0; i <= CELLS; i++) {
        held[i] = pool_take(&p);
        if (held[i]) {
            held[i]->item.weight = i * 1.5;
            sprintf(held[i]->item.name, "cell%d", i);
        }
    }
    printf("%d %d\n", held[CELLS] == NULL, p.live);
    pool_give(&p, held[1]);
    pool_give(&p, held[4]);
    union cell *again = pool_take(&p);
    printf("%d %d\n", again == held[4], p.live);
    again->item.weight = -1;
    strcpy(again->item.name, "reused");
    for (int i = 0; i < CELLS; i++)
        if (i != 1)
            printf("%s %g\n", p.cells[i].item.name, p.cells[i].item.weight);
    return p.live;
}
