//~ SAFE
/* Binary search tree, everything by recursion. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree { int key; struct tree *left, *right; };

static struct tree *insert(struct tree *t, int key)
{
    if (!t) {
        t = malloc(sizeof *t);
        t->key = key;
        t->left = t->right = NULL;
    } else if (key < t->key)
        t->left = insert(t->left, key);
    else
        t->right = insert(t->right, key);
    return t;
}
static void destroy(struct tree *t)
{
    if (!t)
        return;
    destroy(t->left);
    destroy(t->right);
    free(t);
}

int main(void)
{
    struct tree *t = NULL;
    while (__VERIFIER_nondet_int())
        t = insert(t, __VERIFIER_nondet_int());
    destroy(t);
    return 0;
}
