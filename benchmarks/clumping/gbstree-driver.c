/* Exercises the operations on search trees whose leaves point back to the sentinel above the root. */
#include "driver.h"
#include "gbstree-delete.c"
#include "gbstree-find.c"
#include "gbstree-insert.c"

static void check_below(struct gbstree *t, struct gbstree_node *n, struct gbstree_node *parent, int low, int high,
                        struct model *rest)
{
    if (n == t->sent)
        return;
    assert(n->parent == parent);
    assert(low <= n->content && n->content < high);
    model_meet(rest, n->content);
    check_below(t, n->left, n, low, n->content, rest);
    check_below(t, n->right, n, n->content + 1, high, rest);
}

static void check(struct gbstree *t, struct model rest)
{
    assert(t->sent->right == t->sent && t->sent->parent == t->sent);
    assert(t->card == (unsigned long)rest.size);
    check_below(t, t->sent->left, t->sent, 0, VALUES, &rest);
    assert(rest.size == 0);
}

int main(int argc, char **argv)
{
    random_seed(argc, argv);
    for (int round = 0; round < ROUNDS; round++) {
        struct model m = {{0}, 0};
        struct gbstree *t = gbstree_alloc();
        struct gbstree_node *n;
        enum gbstree_result result;

        for (unsigned i = random_size() * 2; i > 0; i--) {
            int value = random_value();

            switch (random_below(4)) {
            case 0:
                n = gbstree_find(t, value);
                assert((n != NULL) == m.count[value]);
                assert(n == NULL || n->content == value);
                break;
            case 1:
                if (gbstree_delete(t, value))
                    model_remove(&m, value);
                else
                    assert(m.count[value] == 0);
                break;
            default:
                n = gbstree_insert(t, value, &result);
                assert(n->content == value);
                assert(result == (m.count[value] ? GBSTREE_FOUND : GBSTREE_INSERTED));
                if (result == GBSTREE_INSERTED)
                    model_add(&m, value);
            }
            check(t, m);
        }
        gbstree_walk(t);
        gbstree_free(t);
    }
    return 0;
}
