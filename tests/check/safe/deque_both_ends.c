//~ SAFE
/* Pushes and pops at both ends. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *l, *r; };
static struct node *left, *right;

static void push_left(void)
{
    struct node *n = malloc(sizeof *n);
    n->l = NULL;
    n->r = left;
    if (left)
        left->l = n;
    else
        right = n;
    left = n;
}
static void pop_right(void)
{
    struct node *n = right;
    right = n->l;
    if (right)
        right->r = NULL;
    else
        left = NULL;
    free(n);
}
static void pop_left(void)
{
    struct node *n = left;
    left = n->r;
    if (left)
        left->l = NULL;
    else
        right = NULL;
    free(n);
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        push_left();
        if (__VERIFIER_nondet_int())
            pop_right();
    }
    while (left)
        pop_left();
    return 0;
}
