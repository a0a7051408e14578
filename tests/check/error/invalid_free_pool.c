/* A node from a static pool is freed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };
static struct node pool[2];
static unsigned used;

static struct node *get(void)
{
    struct node *n = used < 2 ? &pool[used++] : malloc(sizeof *n);
    n->next = NULL;
    return n;
}

int main(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = get();
        n->next = l;
        l = n;
    }
    while (l) {
        struct node *n = l;
        l = n->next;
        free(n); //~ ERROR invalid-free
    }
    return 0;
}
