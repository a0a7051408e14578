/* Finds an element of a splay tree by its key; NULL if there is none. What was found is then the root. */
#ifndef BSPLAY_FIND_C
#define BSPLAY_FIND_C

#include "bsplay.h"

/*@ requires head -> struct splay_head { root: r } * splay(r) * elm -> struct splay_node { key: _ };
    ensures head -> struct splay_head { root: r } * splay(r) * elm -> struct splay_node { key: _ }; */
struct splay_node *bsplay_find(struct splay_head *head, struct splay_node *elm)
{
    if (head->root == NULL)
    // mutant no-empty-check: if (0)
        return NULL;
    splay_splay(head, elm);
    // mutant cut-left: splay_splay(head, elm); head->root->left = NULL;
    // mutant argument-hung-in: splay_splay(head, elm); elm->left = head->root; elm->right = NULL; head->root = elm;
    if (splay_compare(elm, head->root) == 0)
        return head->root;
        // mutant freed-result: { free(head->root); return head->root; }
        // mutant taken-out: { elm = head->root; head->root = elm->left; return elm; }
    return NULL;
}

#endif
