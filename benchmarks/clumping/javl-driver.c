/* Exercises the operations on AVL trees. */
#include "driver.h"
#include "javl-find.c"
#include "javl-free.c"
#include "javl-insert.c"

/* Returns the height. Equal numbers may be on both sides. */
static int check(struct javl_node *n, int low, int high, struct model *rest)
{
    int left, right;

    if (n == NULL)
        return 0;
    assert(low <= n->data && n->data <= high);
    model_meet(rest, n->data);
    left = check(n->link[0], low, n->data, rest);
    right = check(n->link[1], n->data, high, rest);
    assert(n->balance == right - left);
    assert(-1 <= n->balance && n->balance <= 1);
    return 1 + (left > right ? left : right);
}

int main(int argc, char **argv)
{
    random_seed(argc, argv);
    for (int round = 0; round < ROUNDS; round++) {
        struct model m = {{0}, 0}, rest;
        struct javl *tree = javl_new();
        int *found;

        for (unsigned i = random_size() * 2; i > 0; i--) {
            int value = random_value();

            if (random_below(3)) {
                assert(javl_insert(tree, value));
                model_add(&m, value);
            } else {
                found = javl_find(tree, value);
                assert((found != NULL) == (m.count[value] > 0));
                assert(found == NULL || *found == value);
            }
            rest = m;
            check(tree->root, 0, VALUES - 1, &rest);
            assert(rest.size == 0);
            assert(tree->size == (size_t)m.size);
        }
        javl_walk(tree->root);
        javl_free(tree);
    }
    return 0;
}
