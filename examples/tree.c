// A binary search tree with parent pointers: insertion, in-order walk without recursion, removal of everything.
#include <stdio.h>
#include <stdlib.h>

struct tree {
    struct tree *left, *right, *parent;
    int key;
};

static struct tree *insert(struct tree *root, int key)
{
    struct tree *n = calloc(1, sizeof *n), *at = root;
    if (!n)
        abort();
    n->key = key;
    if (!root)
        return n;
    for (;;) {
        struct tree **child = key < at->key ? &at->left : &at->right;
        if (!*child) {
            *child = n;
            n->parent = at;
            return root;
        }
        at = *child;
    }
}

static struct tree *leftmost(struct tree *t)
{
    while (t && t->left)
        t = t->left;
    return t;
}

static struct tree *successor(struct tree *t)
{
    if (t->right)
        return leftmost(t->right);
    while (t->parent && t->parent->right == t)
        t = t->parent;
    return t->parent;
}

static void destroy(struct tree *t)
{
    while (t) {
        if (t->left) {
            t = t->left;
        } else if (t->right) {
            t = t->right;
        } else {
            struct tree *parent = t->parent;
            if (parent && parent->left == t)
                parent->left = NULL;
            else if (parent)
                parent->right = NULL;
            free(t);
            t = parent;
        }
    }
}

int main(void)
{
    static const int keys[] = { 50, 20, 70, 10, 30, 60, 80, 25, 65 };
    struct tree *root = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        root = insert(root, keys[i]);
    for (struct tree *t = leftmost(root); t; t = successor(t))
        printf("%d ", t->key);
    putchar('\n');
    destroy(root);
    return 0;
}
