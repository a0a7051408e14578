#include "closed.h"
#include "bsplay-insert.c"

static void insert_new(struct splay_head *head, int key)
{
    struct splay_node *n = malloc(sizeof *n);

    if (n == NULL)
        return;
    n->key = key;
    if (bsplay_insert(head, n) != NULL)
        free(n);
}

int main(void)
{
    struct splay_head head = SPLAY_INITIALIZER;

    while (__VERIFIER_nondet_int())
        insert_new(&head, __VERIFIER_nondet_int());
    REPEAT(
        insert_new(&head, __VERIFIER_nondet_int());
    )
    splay_walk(head.root);
    splay_destroy(head.root);
    return 0;
}
