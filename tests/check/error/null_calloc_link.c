/* calloc makes null links; one is followed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *kid[2]; int v; };

int main(void)
{
    struct node *root = calloc(1, sizeof *root);
    int side = __VERIFIER_nondet_int() > 0;
    root->kid[side] = calloc(1, sizeof *root);
    root->kid[0]->v = 1; //~ ERROR null-deref
    free(root->kid[0]);
    free(root->kid[1]);
    free(root);
    return 0;
}
