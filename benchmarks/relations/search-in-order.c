/* The numbers of a search tree, from the greatest to the least, are pushed: the list is sorted. */
#include "relations.h"

static struct tree *insert(struct tree *root, int key)
{
    struct tree **at = &root;

    while (*at != NULL)
        at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = leaf(key);
    return root;
}

static struct node *flattened(struct tree *t, struct node *rest)
{
    if (t == NULL)
        return rest;
    rest = flattened(MUTANT_1(t->left, t->right), rest);
    rest = cons(MUTANT_2(~t->key, t->key), rest);
    return flattened(MUTANT_1(t->right, t->left), rest);
}

int main(void)
{
    struct tree *root = NULL;

    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    struct node *list = flattened(root, NULL);


    for (; list != NULL && list->next != NULL; list = list->next)
        assert(list->key <= list->next->key);
    return 0;
}
