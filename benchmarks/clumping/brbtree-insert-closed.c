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

int main(void)
{
    struct rb_head head = RB_INITIALIZER;

    while (__VERIFIER_nondet_int())
        insert_new(&head, __VERIFIER_nondet_int());
    REPEAT(
        insert_new(&head, __VERIFIER_nondet_int());
    )
    rb_walk(&head);
    rb_destroy(head.root);
    return 0;
}
