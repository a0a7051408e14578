/* The root itself is not destroyed, and then the global forgets it. */
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
    if (root) {
        destroy(root->left);
        destroy(root->right);
    }
    root = NULL; //~ ERROR leak
    return 0;
}
