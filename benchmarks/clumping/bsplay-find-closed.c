#include "closed.h"
#include "bsplay-insert.c"
#include "bsplay-find.c"

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
    struct splay_node elm, *n;

    while (__VERIFIER_nondet_int())
        insert_new(&head, __VERIFIER_nondet_int());
    REPEAT(
        elm.key = __VERIFIER_nondet_int();
        n = bsplay_find(&head, &elm);
        if (n != NULL)
            n->key = elm.key;
    )
    splay_walk(head.root);
    splay_destroy(head.root);
    return 0;
}
