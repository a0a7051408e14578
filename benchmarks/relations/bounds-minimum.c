/* The minimum that was found is at most each number. */
#include "relations.h"

int main(void)
{
    struct node *list = any_list(), *n;
    int least = INT_MAX;

    for (n = list; n != NULL; n = n->next)
        if (MUTANT_1(n->key > least, n->key < least))
            least = n->key;
    for (n = list; n != NULL; n = n->next)
        assert(least MUTANT_2(<, <=) n->key);
    return 0;
}
