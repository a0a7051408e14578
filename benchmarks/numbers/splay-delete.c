/* Takes the element with a key out of a splay tree. */
#include "../clumping/bsplay-delete.c"

/*@ requires head -> struct splay_head { root: r } * splay_order(r, -2147483648, 2147483647)
          * elm -> struct splay_node { key: _ };
    ensures head -> struct splay_head { root: r } * splay_order(r, -2147483648, 2147483647) * splay_alone(\result)
          * elm -> struct splay_node { key: _ }; */
struct splay_node *splay_delete(struct splay_head *head, struct splay_node *elm)
{
    return bsplay_delete(head, elm);
}
