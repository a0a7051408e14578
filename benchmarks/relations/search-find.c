/* What a search does not find on its way is not below it. */
#include "relations.h"

static struct tree *insert(struct tree *root, int key)
{
    struct tree **at = &root;

    while (*at != NULL)
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = leaf(key);
    return root;
}

int main(void)
{
    struct tree *root = NULL;

    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    int key = __VERIFIER_nondet_int();
    struct tree *t = root;

    while (t != NULL && t->key != key) {
        struct tree *other = MUTANT_2(key > t->key, key < t->key) ? t->right : t->left;

        if (other != NULL)
            assert(MUTANT_1(other->key > t->key, other->key != key));
        t = key < t->key ? t->left : t->right;
    }
    return 0;
}
