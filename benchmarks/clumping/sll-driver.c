/* Exercises the operations on singly linked lists. */
#include "driver.h"
#include "sll-delmin-rec.c"
#include "sll-delmin.c"
#include "sll-delminmax-rec.c"
#include "sll-delminmax.c"

static void check(struct sll *l, struct model rest)
{
    for (; l != NULL; l = l->next)
        model_meet(&rest, l->data);
    assert(rest.size == 0);
}

static void remove_one(struct model *m, int value)
{
    if (m->size)
        model_remove(m, value);
}

int main(int argc, char **argv)
{
    random_seed(argc, argv);
    for (int round = 0; round < ROUNDS; round++) {
        struct model m = {{0}, 0};
        struct sll *l = NULL;
        int min, max;

        for (unsigned i = random_size(); i > 0; i--) {
            int value = random_value();

            l = sll_push(l, value);
            model_add(&m, value);
        }
        for (int i = 0; i < 4; i++) {
            min = model_min(&m);
            max = model_max(&m);
            switch (random_below(4)) {
            case 0:
                l = sll_delmin(l);
                remove_one(&m, min);
                break;
            case 1:
                l = sll_delmin_rec(l);
                remove_one(&m, min);
                break;
            case 2:
                l = sll_delminmax(l);
                remove_one(&m, min);
                if (min != max)
                    remove_one(&m, max);
                break;
            default:
                l = sll_delminmax_rec(l);
                remove_one(&m, min);
                if (min != max)
                    remove_one(&m, max);
            }
            check(l, m);
        }
        sll_walk(l);
        sll_destroy(l);
    }
    return 0;
}
