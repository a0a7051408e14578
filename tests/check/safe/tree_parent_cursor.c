//~ SAFE
/* A cursor goes through a tree whose nodes know their parents; the root is found again by going up. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *up, *left, *right; int visits; };

static struct node *grow(struct node *up, int depth)
{
    if (depth == 0 || __VERIFIER_nondet_int())
        return NULL;
    struct node *n = malloc(sizeof *n);
    n->up = up;
    n->visits = 0;
    n->left = grow(n, depth - 1);
    n->right = grow(n, depth - 1);
    return n;
}
static void fell(struct node *n)
{
    if (!n)
        return;
    fell(n->left);
    fell(n->right);
    free(n);
}

int main(void)
{
    struct node *at = grow(NULL, 9);
    if (!at)
        return 0;
    while (__VERIFIER_nondet_int()) {
        at->visits++;
        if (at->left && __VERIFIER_nondet_int())
            at = at->left;
        else if (at->right && __VERIFIER_nondet_int())
            at = at->right;
        else if (at->up)
            at = at->up;
    }
    while (at->up)
        at = at->up;
    assert(at->visits >= -2147483647 - 1);
    fell(at);
    return 0;
}
