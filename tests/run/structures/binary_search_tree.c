#include <stdio.h>
#include <stdlib.h>

struct tree { int key; struct tree *left, *right; };

static void insert(struct tree **t, int key)
{
    while (*t)
        t = key < (*t)->key ? &(*t)->left : &(*t)->right;
    *t = calloc(1, sizeof **t);
    (*t)->key = key;
}
static int erase(struct tree **t, int key)
{
    while (*t && (*t)->key != key)
        t = key < (*t)->key ? &(*t)->left : &(*t)->right;
    struct tree *victim = *t;
    if (!victim)
        return 0;
    if (!victim->left)
        *t = victim->right;
    else if (!victim->right)
        *t = victim->left;
    else {
        struct tree **next = &victim->right;
        while ((*next)->left)
            next = &(*next)->left;
        struct tree *s = *next;
        *next = s->right;
        s->left = victim->left;
        s->right = victim->right;
        *t = s;
    }
    free(victim);
    return 1;
}
static void in_order(const struct tree *t, int depth)
{
    if (!t)
        return;
    in_order(t->left, depth + 1);
    printf("%d@%d ", t->key, depth);
    in_order(t->right, depth + 1);
}
static int height(const struct tree *t)
{
    if (!t)
        return 0;
    int l = height(t->left), r = height(t->right);
    return 1 + (l > r ? l : r);
}
static void destroy(struct tree *t)
{
    if (t) {
        destroy(t->left);
        destroy(t->right);
        free(t);
    }
}

int main(void)
{
    struct tree *root = NULL;
    unsigned x = 7;
    for (int i = 0; i < 15; i++) {
        x = x * 75 % 101;
        insert(&root, (int)x);
    }
    in_order(root, 0);
    printf("\nheight %d\n", height(root));
    printf("%d ", erase(&root, root->key));
    printf("%d ", erase(&root, 1000));
    printf("%d\n", height(root));
    in_order(root, 0);
    putchar('\n');
    destroy(root);
    return 0;
}
