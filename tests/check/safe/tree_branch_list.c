//~ SAFE
/* A list of free elements and a tree of the same elements: elements go from one to the other. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *left, *right; };

static struct node *spare;

static struct node *take(void)
{
    if (!spare)
        return malloc(sizeof(struct node));
    struct node *n = spare;
    spare = n->right;
    return n;
}
static void give(struct node *n)
{
    n->left = NULL;
    n->right = spare;
    spare = n;
}
static struct node *grow(void)
{
    if (__VERIFIER_nondet_int() <= 0)
        return NULL;
    struct node *n = take();
    n->left = grow();
    n->right = grow();
    return n;
}
static void fell(struct node *t)
{
    if (!t)
        return;
    fell(t->left);
    fell(t->right);
    give(t);
}

int main(void)
{
    while (__VERIFIER_nondet_int() > 0)
        fell(grow());
    while (spare) {
        struct node *n = spare;
        assert(!n->left);
        spare = n->right;
        free(n);
    }
    return 0;
}
