//~ SAFE
/* The inner list of one element is handed over to its neighbour. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct leaf { int v; struct leaf *next; };
struct bin { struct leaf *leaves; struct bin *next; };

static void drop(struct leaf *l)
{
    while (l) {
        struct leaf *n = l->next;
        free(l);
        l = n;
    }
}

int main(void)
{
    struct bin *bins = NULL;
    while (__VERIFIER_nondet_int()) {
        struct bin *b = malloc(sizeof *b);
        b->leaves = NULL;
        while (__VERIFIER_nondet_int()) {
            struct leaf *l = malloc(sizeof *l);
            l->v = 0;
            l->next = b->leaves;
            b->leaves = l;
        }
        b->next = bins;
        bins = b;
    }
    if (bins && bins->next) {
        drop(bins->next->leaves);
        bins->next->leaves = bins->leaves;
        bins->leaves = NULL;
    }
    while (bins) {
        struct bin *b = bins->next;
        drop(bins->leaves);
        free(bins);
        bins = b;
    }
    return 0;
}
