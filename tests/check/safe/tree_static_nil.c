//~ SAFE
/* Binary tree whose missing children are all one static node, built and destroyed by recursion. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *left, *right; int key; };

static struct node nil;

static struct node *build(void)
{
    if (__VERIFIER_nondet_int())
        return &nil;
    struct node *n = malloc(sizeof *n);
    n->left = build();
    n->right = build();
    n->key = __VERIFIER_nondet_int();
    return n;
}

static void destroy(struct node *n)
{
    if (n == &nil)
        return;
    destroy(n->left);
    destroy(n->right);
    free(n);
}

int main(void)
{
    struct node *root = build(), *n = root;
    int sum = 0;
    while (n != &nil) {
        sum ^= n->key;
        n = n->key & 1 ? n->left : n->right;
    }
    destroy(root);
    return sum == 0;
}
