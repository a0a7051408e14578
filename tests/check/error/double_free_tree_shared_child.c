/* Both children are the same node. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct t { struct t *l, *r; };

static struct t *leaf(void)
{
    struct t *n = malloc(sizeof *n);
    n->l = n->r = NULL;
    return n;
}

int main(void)
{
    struct t *root = leaf();
    root->l = leaf();
    root->r = __VERIFIER_nondet_int() ? root->l : leaf();
    free(root->l);
    free(root->r); //~ ERROR double-free
    free(root);
    return 0;
}
