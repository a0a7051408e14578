/* Exercises the operations on splay trees. */
#include "bsplay-delete.c"
#include "bsplay-find.c"
#include "bsplay-insert.c"
#include "driver.h"

static void check(struct splay_node *n, int low, int high, struct model *rest)
{
    if (n == NULL)
        return;
    assert(low <= n->key && n->key < high);
    model_meet(rest, n->key);
    check(n->left, low, n->key, rest);
    check(n->right, n->key + 1, high, rest);
}

int main(int argc, char **argv)
{
    random_seed(argc, argv);
    for (int round = 0; round < ROUNDS; round++) {
        struct model m = {{0}, 0}, rest;
        struct splay_head head = SPLAY_INITIALIZER;
        struct splay_node elm, *n;

        for (unsigned i = random_size() * 2; i > 0; i--) {
            elm.key = random_value();
            switch (random_below(4)) {
            case 0:
                n = bsplay_find(&head, &elm);
                assert((n != NULL) == m.count[elm.key]);
                assert(n == NULL || (n == head.root && n->key == elm.key));
                break;
            case 1:
                n = bsplay_delete(&head, &elm);
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
                if (bsplay_insert(&head, n) == NULL) {
                    assert(head.root == n);
                    model_add(&m, n->key);
                } else {
                    assert(m.count[n->key]);
                    free(n);
                }
            }
            rest = m;
            check(head.root, 0, VALUES, &rest);
            assert(rest.size == 0);
        }
        splay_walk(head.root);
        splay_destroy(head.root);
    }
    return 0;
}
