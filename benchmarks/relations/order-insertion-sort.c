/* A list of any numbers is sorted by insertion. */
#include "relations.h"

static struct node *sort(struct node *list)
{
    struct node *sorted = NULL;

    while (list != NULL) {
        struct node *n = list, **at = &sorted;

        list = list->next;
        while (*at != NULL && MUTANT_1((*at)->key != n->key, (*at)->key < n->key))
            at = &(*at)->next;
        MUTANT_2(at = &sorted, (void)0);
        n->next = *at;
        *at = n;
    }
    return sorted;
}

int main(void)
{
    struct node *list = sort(any_list());


    for (; list != NULL && list->next != NULL; list = list->next)
        assert(list->key <= list->next->key);
    return 0;
}
