//~ SAFE
/* A copy in the same order; both lists are destroyed on their own. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

static struct node *copy(const struct node *from)
{
    struct node *first = NULL, **tail = &first;
    for (; from; from = from->next) {
        *tail = malloc(sizeof **tail);
        (*tail)->v = from->v;
        (*tail)->next = NULL;
        tail = &(*tail)->next;
    }
    return first;
}
static void destroy(struct node *l)
{
    while (l) {
        struct node *n = l->next;
        free(l);
        l = n;
    }
}

int main(void)
{
    struct node *a = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = 3;
        n->next = a;
        a = n;
    }
    struct node *b = copy(a);
    assert((a == NULL) == (b == NULL));
    destroy(a);
    destroy(b);
    return 0;
}
