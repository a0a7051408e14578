//~ SAFE
/* A pointer into the middle of a block finds the way back to its start. */
#include <stddef.h>
#include <stdlib.h>

struct record { int head; char tail[4]; double weight; };

static void by_inner(double *w)
{
    struct record *r = (struct record *)((char *)w - offsetof(struct record, weight));
    r->head = 1;
    r->tail[3] = 'x';
    free(r);
}

int main(void)
{
    struct record *r = malloc(sizeof *r);
    double *inner = &r->weight;
    *inner = 0.5;
    by_inner(inner);
    return 0;
}
