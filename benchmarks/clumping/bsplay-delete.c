/* Takes the element with a key out of a splay tree and returns it; NULL if there is none. */
#ifndef BSPLAY_DELETE_C
#define BSPLAY_DELETE_C

#include "bsplay.h"

/*@ requires head -> struct splay_head { root: r } * splay(r) * elm -> struct splay_node { key: _ };
    ensures splay_alone(\result) * head -> struct splay_head { root: r } * splay(r)
          * elm -> struct splay_node { key: _ }; */
struct splay_node *bsplay_delete(struct splay_head *head, struct splay_node *elm)
{
    struct splay_node *removed, *right;

    if (head->root == NULL)
    // mutant no-empty-check: if (0)
        return NULL;
    splay_splay(head, elm);
    if (splay_compare(elm, head->root) != 0)
        return NULL;
    removed = head->root;
    if (removed->left == NULL) {
    // mutant no-left-case: if (0) {
        head->root = removed->right;
        // mutant lost-right: head->root = NULL;
    } else {
        right = removed->right;
        head->root = removed->left;
        // mutant left-of-right: head->root = right;
        splay_splay(head, elm);
        head->root->right = right;
        // mutant right-dropped: ;
        // mutant right-to-the-left: head->root->left = right;
    }
    return removed;
}

#endif
