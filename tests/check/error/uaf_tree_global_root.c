/* The root is read after all has been freed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *left, *right; };

static struct node *root;

static void insert(int key)
{
    struct node **at = &root;
    while (*at)
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = calloc(1, sizeof **at);
    (*at)->key = key;
}

static void destroy(struct node *n)
{
    if (!n)
        return;
    destroy(n->left);
    destroy(n->right);
    free(n);
}

int main(void)
{
    while (__VERIFIER_nondet_int())
        insert(__VERIFIER_nondet_int());
    destroy(root);
    if (root)
        return root->key; //~ ERROR use-after-free
    return 0;
}
