/* Takes the element with a key out of a red-black tree. */
#include "../clumping/brbtree-delete.c"

/*@ requires head -> struct rb_head { root: r } * coloured(r, null, 0) * elm -> struct rb_node { key: _ };
    ensures head -> struct rb_head { root: r } * coloured(r, null, 0) * rb_alone(\result)
          * elm -> struct rb_node { key: _ }; */
struct rb_node *colour_delete(struct rb_head *head, struct rb_node *elm)
{
    return brbtree_delete(head, elm);
}
