//~ SAFE
/* calloc gives null children. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *kid[3]; int v; };

static void destroy(struct node *n)
{
    if (!n)
        return;
    for (int i = 0; i < 3; i++)
        destroy(n->kid[i]);
    free(n);
}

int main(void)
{
    struct node *root = calloc(1, sizeof *root), *at = root;
    while (__VERIFIER_nondet_int()) {
        int i = __VERIFIER_nondet_int();
        if (i < 0 || i > 2)
            i = 0;
        if (!at->kid[i])
            at->kid[i] = calloc(1, sizeof *at);
        at = at->kid[i];
    }
    destroy(root);
    return 0;
}
