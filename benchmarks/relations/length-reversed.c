/* Reversal keeps the length. */
#include "relations.h"

static int length(struct node *list)
{
    int n = 0;

    for (; list != NULL; list = list->next)
        n++;
    return n;
}

static struct node *reverse(struct node *list)
{
    struct node *back = NULL;

    while (list != NULL) {
        struct node *n = list;

        list = n->next;
        n->next = back;
        back = n;
        MUTANT_1(if (list == NULL) back = cons(0, back), (void)0);
    }
    return back;
}

int main(void)
{
    struct node *list = any_list();
    int before = length(list), after;

    list = reverse(list);
    MUTANT_2(list = list != NULL ? list->next : list, (void)0);
    after = length(list);
    assert(before == after);
    return 0;
}
