/* Top-down splay tree, ended by NULL; elements carry their links, and the caller owns them. A search splits the tree
 * at the key into a left and a right part, which hang on an auxiliary node on the stack, and puts them together
 * again below the node that was reached. */
#ifndef BSPLAY_H
#define BSPLAY_H

#include <stdlib.h>

struct splay_node {
    struct splay_node *left, *right;
    int key;
};

struct splay_head {
    struct splay_node *root;
};

#define SPLAY_INITIALIZER { NULL }

/* Turns the edge between the root and its left child `tmp`. */
#define SPLAY_ROTATE_RIGHT(head, tmp)        \
    do {                                     \
        (head)->root->left = (tmp)->right;   \
        (tmp)->right = (head)->root;         \
        (head)->root = (tmp);                \
    } while (0)

#define SPLAY_ROTATE_LEFT(head, tmp)         \
    do {                                     \
        (head)->root->right = (tmp)->left;   \
        (tmp)->left = (head)->root;          \
        (head)->root = (tmp);                \
    } while (0)

/* Hangs the root with its right subtree below `tmp`, the least node of the right part, and goes on to the left. */
#define SPLAY_LINK_RIGHT(head, tmp)          \
    do {                                     \
        (tmp)->left = (head)->root;          \
        (tmp) = (head)->root;                \
        (head)->root = (head)->root->left;   \
    } while (0)

#define SPLAY_LINK_LEFT(head, tmp)           \
    do {                                     \
        (tmp)->right = (head)->root;         \
        (tmp) = (head)->root;                \
        (head)->root = (head)->root->right;  \
    } while (0)

static inline int splay_compare(const struct splay_node *a, const struct splay_node *b)
{
    return a->key < b->key ? -1 : a->key > b->key;
}

/* Brings the node with the key of `elm`, or one next to it, to the root of a tree that is not empty. */
static inline void splay_splay(struct splay_head *head, struct splay_node *elm)
{
    struct splay_node parts, *left, *right, *tmp;
    int order;

    parts.left = parts.right = NULL;
    left = right = &parts;
    while ((order = splay_compare(elm, head->root)) != 0) {
        if (order < 0) {
            tmp = head->root->left;
            if (tmp == NULL)
            // mutant no-left-check: if (0)
                break;
            if (splay_compare(elm, tmp) < 0) {
            // mutant wrong-comparison-on-the-left (numbers, order): if (splay_compare(elm, tmp) > 0) {
                SPLAY_ROTATE_RIGHT(head, tmp);
                // mutant wrong-rotation: head->root->left = tmp->left; tmp->right = head->root; head->root = tmp;
                // mutant half-a-rotation: head->root = tmp;
                if (head->root->left == NULL)
                // mutant no-check-after-rotation: if (0)
                    break;
            }
            SPLAY_LINK_RIGHT(head, right);
            // mutant linked-to-the-left: SPLAY_LINK_RIGHT(head, left);
        } else {
            tmp = head->root->right;
            if (tmp == NULL)
                break;
            if (splay_compare(elm, tmp) > 0) {
            // mutant wrong-comparison-on-the-right (numbers, order): if (splay_compare(elm, tmp) < 0) {
                SPLAY_ROTATE_LEFT(head, tmp);
                // mutant rotation-loses-middle: head->root->right = NULL; tmp->left = head->root; head->root = tmp;
                if (head->root->right == NULL)
                    break;
            }
            SPLAY_LINK_LEFT(head, left);
        }
    }
    left->right = head->root->left;
    // mutant lost-left-middle: left->right = NULL;
    right->left = head->root->right;
    // mutant lost-right-middle: ;
    head->root->left = parts.right;
    // mutant swapped-parts: head->root->left = parts.left;
    // mutant lost-left-part: ;
    head->root->right = parts.left;
    // mutant lost-right-part: head->root->right = NULL;
}

static inline unsigned splay_walk(struct splay_node *n)
{
    if (n == NULL)
        return 0;
    return splay_walk(n->left) + (unsigned)n->key + splay_walk(n->right);
}

static inline void splay_destroy(struct splay_node *n)
{
    if (n == NULL)
        return;
    splay_destroy(n->left);
    splay_destroy(n->right);
    free(n);
}

#endif
