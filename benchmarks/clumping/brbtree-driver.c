/* Exercises the operations on red-black trees. */
#include "brbtree-delete.c"
#include "brbtree-find.c"
#include "brbtree-insert.c"
#include "driver.h"

/* Returns the number of black nodes on every way down. */
static int check(struct rb_node *n, struct rb_node *parent, int low, int high, struct model *rest)
{
    int height;

    if (n == NULL)
        return 0;
    assert(RB_PARENT(n) == parent);
    assert(parent != NULL || RB_COLOUR(n) == RB_BLACK);
    assert(RB_COLOUR(n) == RB_BLACK || RB_COLOUR(parent) == RB_BLACK);
    assert(low <= n->key && n->key < high);
    model_meet(rest, n->key);
    height = check(RB_LEFT(n), n, low, n->key, rest);
    assert(check(RB_RIGHT(n), n, n->key + 1, high, rest) == height);
    return height + (RB_COLOUR(n) == RB_BLACK);
}

int main(int argc, char **argv)
{
    random_seed(argc, argv);
    for (int round = 0; round < ROUNDS; round++) {
        struct model m = {{0}, 0}, rest;
        struct rb_head head = RB_INITIALIZER;
        struct rb_node elm, *n;

        for (unsigned i = random_size() * 2; i > 0; i--) {
            elm.key = random_value();
            switch (random_below(5)) {
            case 0:
                n = brbtree_find(&head, &elm);
                assert((n != NULL) == m.count[elm.key]);
                assert(n == NULL || n->key == elm.key);
                break;
            case 1:
            case 2:
                n = brbtree_delete(&head, &elm);
                assert((n != NULL) == m.count[elm.key]);
                if (n != NULL) {
                    assert(n->key == elm.key);
                    model_remove(&m, n->key);
                    free(n);
                }
                break;
            default:
                n = malloc(sizeof *n);
                n->key = elm.key;
                if (brbtree_insert(&head, n) == NULL) {
                    model_add(&m, n->key);
                } else {
                    assert(m.count[n->key]);
                    free(n);
                }
            }
            rest = m;
            check(head.root, NULL, 0, VALUES, &rest);
            assert(rest.size == 0);
        }
        rb_walk(&head);
        rb_destroy(head.root);
    }
    return 0;
}
