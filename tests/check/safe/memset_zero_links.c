//~ SAFE
/* memset to zero makes null links and zero numbers. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *left, *right; long count; char name[6]; };

int main(void)
{
    struct node *root = malloc(sizeof *root);
    memset(root, 0, sizeof *root);
    assert(root->left == NULL && root->count == 0 && root->name[5] == 0);
    if (__VERIFIER_nondet_int()) {
        root->left = malloc(sizeof *root);
        memset(root->left, 0, sizeof *root);
    }
    if (root->left) {
        assert(root->left->right == NULL);
        free(root->left);
    }
    free(root);
    return 0;
}
