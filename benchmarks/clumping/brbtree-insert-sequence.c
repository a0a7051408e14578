/* The operation of brbtree-insert.c several times, with any arguments; -DCALLS says how often. */
#include "closed.h"
#include "brbtree-insert.c"

static void insert_new(struct rb_head *head, int key)
{
    struct rb_node *n = malloc(sizeof *n);

    if (n == NULL)
        return;
    n->key = key;
    if (brbtree_insert(head, n) != NULL)
        free(n);
}

/*@ requires head -> struct rb_head { root: r } * rb(r, null);
    ensures head -> struct rb_head { root: r } * rb(r, null); */
void brbtree_insert_sequence(struct rb_head *head)
{
    REPEAT(insert_new(head, __VERIFIER_nondet_int());)
}
