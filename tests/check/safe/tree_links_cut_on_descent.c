//~ SAFE
//~ TODO leak: the last pointer to a block is gone
/* A walk that frees cuts the link to each child it goes down to, so that the nodes above are held by parent pointers alone.
   They are a list by these pointers, of nodes that have at most their second subtree left; but a node with its subtrees
   is also a tree, and is folded to one before there are two of them that could be seen to form such a list. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *kid[2], *up; };

int main(void)
{
    struct node *root = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = calloc(1, sizeof *n);
        if (!root) {
            root = n;
            continue;
        }
        struct node *at = root;
        int side = __VERIFIER_nondet_int() != 0;
        while (at->kid[side]) {
            at = at->kid[side];
            side = __VERIFIER_nondet_int() != 0;
        }
        at->kid[side] = n;
        n->up = at;
    }
    struct node *at = root;
    while (at) {
        int side = at->kid[0] == NULL;
        if (at->kid[side]) {
            struct node *kid = at->kid[side];
            at->kid[side] = NULL;
            at = kid;
        } else {
            struct node *up = at->up;
            free(at);
            at = up;
        }
    }
    return 0;
}
