/* Merging goes on when one of the lists is exhausted. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

static struct node *build(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = l;
        l = n;
    }
    return l;
}

int main(void)
{
    struct node *a = build(), *b = build();
    struct node *merged = NULL, **tail = &merged;
    while (a || b) {
        struct node **from = __VERIFIER_nondet_int() ? &a : &b;
        *tail = *from;
        *from = (*from)->next; //~ ERROR null-deref
        tail = &(*tail)->next;
    }
    while (merged) {
        struct node *n = merged->next;
        free(merged);
        merged = n;
    }
    return 0;
}
