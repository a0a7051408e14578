//~ SAFE
/* A loop left by goto on errors; the single exit frees the partial result. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

static int read_all(struct node **out)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
        n->v = __VERIFIER_nondet_int();
        if (n->v < 0)
            goto fail;
    }
    *out = list;
    return 0;
fail:
    while (list) {
        struct node *n = list->next;
        free(list);
        list = n;
    }
    return -1;
}

int main(void)
{
    struct node *l;
    if (read_all(&l) < 0)
        return 1;
    while (l) {
        struct node *n = l->next;
        free(l);
        l = n;
    }
    return 0;
}
