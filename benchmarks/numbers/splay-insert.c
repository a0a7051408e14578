/* Adds an element to a splay tree, as its root. */
#include "../clumping/bsplay-insert.c"

/*@ requires head -> struct splay_head { root: r } * splay_order(r, -2147483648, 2147483647)
          * elm -> struct splay_node { key: _ };
    ensures head -> struct splay_head { root: r } * splay_order(r, -2147483648, 2147483647) * splay_refused(elm, \result); */
struct splay_node *splay_insert(struct splay_head *head, struct splay_node *elm)
{
    return bsplay_insert(head, elm);
}
