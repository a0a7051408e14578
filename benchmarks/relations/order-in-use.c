/* A queue with priorities: what is taken out is the least there was. */
#include "relations.h"

static void insert(struct node **at, int key)
{
    while (*at != NULL && MUTANT_1((*at)->key > key, (*at)->key < key))
        at = &(*at)->next;
    *at = cons(key, *at);
}

int main(void)
{
    struct node *queue = NULL;

    while (__VERIFIER_nondet_int()) {
        if (queue == NULL || __VERIFIER_nondet_int()) {
            insert(&queue, __VERIFIER_nondet_int());
        } else {
            struct node *n = queue;

            queue = n->next;
            assert(queue == NULL || n->key MUTANT_2(<, <=) queue->key);
            free(n);
        }
    }
    return 0;
}
