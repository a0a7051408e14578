/* Adds a number to an AVL tree without recursion: on the way down the last node that leans is remembered, since at
 * most there a rotation is needed. */
#ifndef JAVL_INSERT_C
#define JAVL_INSERT_C

#include "javl.h"

/* Lifts the child on the other side of `dir` above `root`, and returns it. */
static struct javl_node *javl_single(struct javl_node *root, int dir)
{
    struct javl_node *save = root->link[!dir];

    root->link[!dir] = save->link[dir];
    // mutant lost-middle: root->link[!dir] = NULL;
    // mutant single-keeps-child (shape): ;
    save->link[dir] = root;
    // mutant lost-root: ;
    // mutant wrong-side: save->link[!dir] = root;
    return save;
}

/* Lifts the grandchild in the middle above `root` and its child on the other side of `dir`, and returns it. */
static struct javl_node *javl_double(struct javl_node *root, int dir)
{
    struct javl_node *save = root->link[!dir]->link[dir];

    root->link[!dir]->link[dir] = save->link[!dir];
    // mutant double-keeps-child (shape): ;
    save->link[!dir] = root->link[!dir];
    // mutant double-loses-child: ;
    root->link[!dir] = save;
    save = root->link[!dir];
    root->link[!dir] = save->link[dir];
    // mutant double-keeps-grandchild (shape): ;
    save->link[dir] = root;
    return save;
}

/* Balances after a double rotation that is still to come, at `root` towards `dir`. */
static void javl_adjust_balance(struct javl_node *root, int dir, int bal)
{
    struct javl_node *n = root->link[dir], *nn = n->link[!dir];

    if (nn->balance == 0) {
        root->balance = n->balance = 0;
    } else if (nn->balance == bal) {
        root->balance = -bal;
        n->balance = 0;
    } else {
        root->balance = 0;
        n->balance = bal;
    }
    nn->balance = 0;
}

/* Rotates at `root`, whose subtree `dir` became too high, and returns the new root. */
static struct javl_node *javl_insert_balance(struct javl_node *root, int dir)
{
    struct javl_node *n = root->link[dir];
    int bal = dir == 0 ? -1 : +1;

    if (ABSENT(n))
        return root;
    if (n->balance == bal) {
    // mutant wrong-case (numbers, heights): if (n->balance != bal) {
        root->balance = n->balance = 0;
        return javl_single(root, !dir);
        // mutant wrong-rotation: return javl_single(root, dir);
    }
    if (ABSENT(n->link[!dir]))
        return root;
    javl_adjust_balance(root, dir, bal);
    return javl_double(root, !dir);
    // mutant wrong-double: return javl_double(root, dir);
}

/* Returns 0 if there is no memory. Equal numbers may be there more than once. */
/*@ requires tree -> struct javl { root: r, size: _ } * javl(r);
    ensures tree -> struct javl { root: r, size: _ } * javl(r); */
int javl_insert(struct javl *tree, int data)
{
    struct javl_node head, *s, *t, *p, *q;
    int dir;

    if (tree->root == NULL) {
        tree->root = javl_new_node(data);
        if (tree->root == NULL)
            return 0;
        tree->size++;
        return 1;
    }
    t = &head;
    t->link[0] = NULL;
    t->link[1] = tree->root;
    s = p = t->link[1];
    /* Down to the place, with the node to rotate at in `s` and the one above it in `t`. */
    for (;;) {
        dir = javl_compare(p, data) < 0;
        q = p->link[dir];
        if (q == NULL)
        // mutant no-leaf-check: if (0)
            break;
        if (q->balance != 0) {
            t = p;
            s = q;
            // mutant stale-rotation-point (numbers, heights): ;
        }
        p = q;
    }
    q = javl_new_node(data);
    if (q == NULL)
        return 0;
    p->link[dir] = q;
    // mutant not-linked: ;
    // mutant wrong-direction: p->link[!dir] = q;
    /* All nodes from `s` on lean towards the new one now. */
    for (p = s; !ABSENT(p) && p != q; p = p->link[dir]) {
        dir = javl_compare(p, data) < 0;
        p->balance += dir == 0 ? -1 : +1;
        // mutant leans-too-much (numbers, balances, heights): p->balance += dir == 0 ? -2 : +2;
    }
    q = s;
    if (abs(s->balance) > 1) {
    // mutant rotates-too-late (numbers, balances, heights): if (abs(s->balance) > 2) {
        dir = javl_compare(s, data) < 0;
        s = javl_insert_balance(s, dir);
        // mutant result-dropped: javl_insert_balance(s, dir);
    }
    if (q == head.link[1])
    // mutant never-the-root: if (0)
        tree->root = s;
        // mutant root-kept: ;
    else
        t->link[q == t->link[1]] = s;
        // mutant always-right: t->link[1] = s;
    tree->size++;
    return 1;
}

#endif
