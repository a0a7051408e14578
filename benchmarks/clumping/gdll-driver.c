/* Exercises the operations on lists between sentinels. */
#include "driver.h"
#include "gdll-delete.c"
#include "gdll-find.c"
#include "gdll-findmax.c"
#include "gdll-findmin.c"
#include "gdll-index.c"

static void check(struct gdll *l, struct model rest)
{
    assert(l->head->pred == l->head && l->tail->succ == l->tail);
    assert(l->card == (unsigned long)rest.size);
    for (struct gdll_node *n = l->head; n != l->tail; n = n->succ) {
        assert(n->succ->pred == n);
        if (n != l->head)
            model_meet(&rest, n->content);
    }
    assert(rest.size == 0);
}

static struct gdll_node *nth(struct gdll *l, unsigned long pos)
{
    struct gdll_node *n = l->head;

    if (pos < 1 || pos > l->card)
        return NULL;
    while (pos-- > 0)
        n = n->succ;
    return n;
}

static struct gdll_node *first(struct gdll *l, int content)
{
    struct gdll_node *n = l->head->succ;

    while (n != l->tail && n->content != content)
        n = n->succ;
    return n == l->tail ? NULL : n;
}

int main(int argc, char **argv)
{
    random_seed(argc, argv);
    for (int round = 0; round < ROUNDS; round++) {
        struct model m = {{0}, 0};
        struct gdll *l = gdll_alloc();
        struct gdll_node *n;
        unsigned long pos;
        int value;

        for (unsigned i = random_size(); i > 0; i--) {
            value = random_value();
            if (random_below(2))
                gdll_insert_head(l, value);
            else
                gdll_insert_tail(l, value);
            model_add(&m, value);
        }
        for (int i = 0; i < 6; i++) {
            value = random_value();
            switch (random_below(5)) {
            case 0:
                n = gdll_findmin(l);
                assert(n == first(l, model_min(&m)));
                break;
            case 1:
                n = gdll_findmax(l);
                assert(n == first(l, model_max(&m)));
                break;
            case 2:
                pos = random_below((unsigned)l->card + 3);
                n = gdll_index(l, pos);
                assert(n == nth(l, pos));
                break;
            case 3:
                n = gdll_find(l, value);
                assert(n == first(l, value));
                break;
            default:
                if (gdll_delete(l, &value))
                    model_remove(&m, value);
                else
                    assert(m.count[value] == 0);
            }
            check(l, m);
        }
        gdll_walk(l);
        gdll_free(l);
    }
    return 0;
}
