//~ SAFE
/* Released nodes go to a free list and are used again. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };
static struct node *spare;

static struct node *get(void)
{
    struct node *n = spare;
    if (n)
        spare = n->next;
    else
        n = malloc(sizeof *n);
    n->v = 0;
    n->next = NULL;
    return n;
}
static void put(struct node *n)
{
    n->next = spare;
    spare = n;
}

int main(void)
{
    struct node *live = NULL;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            struct node *n = get();
            n->next = live;
            live = n;
        } else if (live) {
            struct node *n = live;
            live = n->next;
            put(n);
        }
    }
    while (live) {
        struct node *n = live;
        live = n->next;
        put(n);
    }
    while (spare) {
        struct node *n = spare;
        spare = n->next;
        free(n);
    }
    return 0;
}
