/* Exercises the operations on search trees without parent pointers. */
#include "bstree-find-rec.c"
#include "bstree-find.c"
#include "driver.h"

static void check(struct bstree *t, int low, int high, struct model *rest)
{
    if (t == NULL)
        return;
    assert(low <= t->data && t->data < high);
    model_meet(rest, t->data);
    check(t->left, low, t->data, rest);
    check(t->right, t->data + 1, high, rest);
}

int main(int argc, char **argv)
{
    random_seed(argc, argv);
    for (int round = 0; round < ROUNDS; round++) {
        struct model m = {{0}, 0}, rest;
        struct bstree *t = NULL, *n, *above;

        for (unsigned i = random_size(); i > 0; i--) {
            int value = random_value();

            t = bstree_insert(t, value);
            if (!m.count[value])
                model_add(&m, value);
        }
        for (int i = 0; i < 8; i++) {
            int value = random_value();

            if (random_below(2))
                n = bstree_find(t, value, &above);
            else
                n = bstree_find_rec(t, value, &above);
            assert((n != NULL) == m.count[value]);
            assert(n == NULL || n->data == value);
            if (above != NULL)
                assert((value < above->data ? above->left : above->right) == n);
            else
                assert(n == t);
            rest = m;
            check(t, 0, VALUES, &rest);
            assert(rest.size == 0);
        }
        bstree_walk(t);
        bstree_destroy(t);
    }
    return 0;
}
