//~ SAFE
/* A global pointer to the element found last is reset before that element dies. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int k; struct node *next; };
static struct node *recent;

static struct node *find(struct node *l, int k)
{
    if (recent && recent->k == k)
        return recent;
    for (; l; l = l->next)
        if (l->k == k)
            return recent = l;
    return NULL;
}

int main(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->k = __VERIFIER_nondet_int();
        n->next = l;
        l = n;
    }
    while (__VERIFIER_nondet_int()) {
        struct node *hit = find(l, __VERIFIER_nondet_int());
        if (hit)
            hit->k = 1;
    }
    while (l) {
        struct node *n = l;
        l = n->next;
        if (recent == n)
            recent = NULL;
        free(n);
    }
    return recent != NULL;
}
