//~ SAFE
/* Merges two lists by taking from either as the input decides. */
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
    while (a && b) {
        struct node **from = __VERIFIER_nondet_int() ? &a : &b;
        *tail = *from;
        *from = (*from)->next;
        tail = &(*tail)->next;
    }
    *tail = a ? a : b;
    while (merged) {
        struct node *n = merged->next;
        free(merged);
        merged = n;
    }
    return 0;
}
