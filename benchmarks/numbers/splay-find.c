/* Finds an element of a splay tree by its key; what was found is then the root. */
#include "../clumping/bsplay-find.c"

/*@ requires head -> struct splay_head { root: r } * splay_order(r, -2147483648, 2147483647)
          * elm -> struct splay_node { key: _ };
    ensures head -> struct splay_head { root: r } * splay_order(r, -2147483648, 2147483647) * elm -> struct splay_node { key: _ }; */
struct splay_node *splay_find(struct splay_head *head, struct splay_node *elm)
{
    return bsplay_find(head, elm);
}
