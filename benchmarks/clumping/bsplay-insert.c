/* Adds an element to a splay tree, as its root; returns NULL, or the element that has the key already. */
#ifndef BSPLAY_INSERT_C
#define BSPLAY_INSERT_C

#include "bsplay.h"

/*@ requires head -> struct splay_head { root: r } * splay(r) * elm -> struct splay_node { key: _ };
    ensures splay_refused(elm, \result) * head -> struct splay_head { root: r } * splay(r); */
struct splay_node *bsplay_insert(struct splay_head *head, struct splay_node *elm)
{
    if (head->root == NULL) {
    // mutant no-empty-check: if (0) {
        elm->left = elm->right = NULL;
        // mutant uninitialised: elm->left = NULL;
    } else {
        int order;

        splay_splay(head, elm);
        order = splay_compare(elm, head->root);
        if (order < 0) {
            elm->left = head->root->left;
            // mutant lost-left: elm->left = NULL;
            elm->right = head->root;
            // mutant lost-root: elm->right = NULL;
            head->root->left = NULL;
            // mutant shared-left (shape): ;
        } else if (order > 0) {
            elm->right = head->root->right;
            elm->left = head->root;
            // mutant lost-root-left: elm->left = head->root->left;
            head->root->right = NULL;
            // mutant shared-right (shape): ;
        } else {
            return head->root;
        }
    }
    head->root = elm;
    // mutant not-the-root: ;
    return NULL;
}

#endif
