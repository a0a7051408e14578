//~ SAFE
/* The children are an array of two: which one is a number. A node is freed when it has become a leaf. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *kid[2], *up; };

static void insert(struct node **root)
{
    struct node *n = calloc(1, sizeof *n);
    if (!*root) {
        *root = n;
        return;
    }
    struct node *at = *root;
    int side = __VERIFIER_nondet_int() != 0;
    while (at->kid[side]) {
        at = at->kid[side];
        side = __VERIFIER_nondet_int() != 0;
    }
    at->kid[side] = n;
    n->up = at;
}

int main(void)
{
    struct node *root = NULL;
    while (__VERIFIER_nondet_int())
        insert(&root);
    struct node *at = root;
    while (at) {
        if (at->kid[0])
            at = at->kid[0];
        else if (at->kid[1])
            at = at->kid[1];
        else {
            struct node *up = at->up;
            if (up)
                up->kid[up->kid[1] == at] = NULL;
            free(at);
            at = up;
        }
    }
    return 0;
}
