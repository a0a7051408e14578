//~ SAFE
#include <stdlib.h>

struct tree {
    struct tree *left, *right;
};

static struct tree *node(struct tree *left, struct tree *right)
{
    struct tree *t = malloc(sizeof *t);
    if (!t)
        abort();
    t->left = left;
    t->right = right;
    return t;
}

static int release(struct tree *t)
{
    if (!t)
        return 0;
    int left = release(t->left), right = release(t->right);
    free(t);
    return left + right + 1;
}

int main(void)
{
    struct tree *a = node(node(node(NULL, NULL), node(NULL, NULL)), node(NULL, node(NULL, NULL)));
    struct tree *b = node(NULL, NULL);
    return release(a) + release(b) == 0;
}
