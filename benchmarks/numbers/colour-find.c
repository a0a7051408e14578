/* Finds an element of a red-black tree by its key. */
#include "../clumping/brbtree-find.c"

/*@ requires head -> struct rb_head { root: r } * coloured(r, null, 0) * elm -> struct rb_node { key: _ };
    ensures head -> struct rb_head { root: r } * coloured(r, null, 0) * elm -> struct rb_node { key: _ }; */
struct rb_node *colour_find(struct rb_head *head, struct rb_node *elm)
{
    return brbtree_find(head, elm);
}
