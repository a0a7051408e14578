#include "closed.h"
#include "brbtree-insert.c"
#include "brbtree-find.c"

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
    struct rb_node elm, *n;

    while (__VERIFIER_nondet_int())
        insert_new(&head, __VERIFIER_nondet_int());
    REPEAT(
        elm.key = __VERIFIER_nondet_int();
        n = brbtree_find(&head, &elm);
        if (n != NULL)
            n->key = elm.key;
    )
    rb_walk(&head);
    rb_destroy(head.root);
    return 0;
}
