// A bug: the error path of the constructor forgets the node that it made first.
#include <stdio.h>
#include <stdlib.h>

struct pair {
    int *left, *right;
};

static struct pair *make(int left, int right)
{
    struct pair *p = malloc(sizeof *p);
    if (!p)
        abort();
    p->left = malloc(sizeof *p->left);
    if (!p->left)
        abort();
    if (right < 0) {
        free(p);
        return NULL;
    }
    p->right = malloc(sizeof *p->right);
    if (!p->right)
        abort();
    *p->left = left;
    *p->right = right;
    return p;
}

int main(void)
{
    for (int i = 1; i >= -1; i--) {
        struct pair *p = make(i, i);
        if (p) {
            printf("%d\n", *p->left + *p->right);
            free(p->left);
            free(p->right);
            free(p);
        }
    }
    return 0;
}
