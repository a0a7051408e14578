/* Adds an element to a red-black tree. */
#include "../clumping/brbtree-insert.c"

/*@ requires head -> struct rb_head { root: r } * black(r, null, 0, _) * elm -> struct rb_node { key: _ };
    ensures head -> struct rb_head { root: r } * black(r, null, 0, _) * rb_refused(elm, \result); */
struct rb_node *black_insert(struct rb_head *head, struct rb_node *elm)
{
    return brbtree_insert(head, elm);
}
