/* The filter keeps what is at least k. */
#include "relations.h"

static void filter(struct node **at, int k)
{
    while (*at != NULL) {
        struct node *n = *at;

        if (MUTANT_1(n->key < k - 1, n->key < k)) {
            *at = n->next;
            MUTANT_2(if (*at) at = &(*at)->next, (void)0);
            free(n);
        } else {
            at = &n->next;
        }
    }
}

int main(void)
{
    struct node *list = any_list();
    int k = __VERIFIER_nondet_int();

    if (k == INT_MIN)
        return 0;
    filter(&list, k);
    for (; list != NULL; list = list->next)
        assert(list->key >= k);
    return 0;
}
