/* Exercises the operations that relink singly linked lists. */
#include "driver.h"
#include "psll-bsort.c"
#include "psll-isort.c"
#include "psll-reverse.c"

static void check(struct psll *list, struct model rest, int sorted)
{
    for (; list != NULL; list = list->next) {
        model_meet(&rest, list->value);
        assert(!sorted || list->next == NULL || list->value <= list->next->value);
    }
    assert(rest.size == 0);
}

int main(int argc, char **argv)
{
    random_seed(argc, argv);
    for (int round = 0; round < ROUNDS; round++) {
        struct model m = {{0}, 0};
        struct psll *list = NULL;
        int order[30], size = 0;

        for (unsigned i = random_size(); i > 0; i--) {
            order[size] = random_value();
            psll_insert(&list, order[size]);
            model_add(&m, order[size++]);
        }
        switch (random_below(3)) {
        case 0:
            psll_reverse(&list);
            check(list, m, 0);
            size = 0;
            for (struct psll *item = list; item; item = item->next)
                assert(item->value == order[size++]);
            break;
        case 1:
            psll_isort(&list);
            check(list, m, 1);
            break;
        default:
            psll_bsort(&list);
            check(list, m, 1);
        }
        psll_walk(list);
        psll_destroy(list);
    }
    return 0;
}
