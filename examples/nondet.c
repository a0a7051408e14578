// A sorted insertion whose values come from outside: the analysis must consider them all, a run draws some.
// Try `heapwise run --seed 7 examples/nondet.c` and `heapwise run --inputs 3,1,2,0 examples/nondet.c`.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *list = NULL;
    for (;;) {
        int value = __VERIFIER_nondet_int();
        if (value == 0)
            break;
        struct node *n = malloc(sizeof *n), **at = &list;
        if (!n)
            abort();
        while (*at && (*at)->value < value)
            at = &(*at)->next;
        n->value = value;
        n->next = *at;
        *at = n;
    }
    for (struct node *n = list; n && n->next; n = n->next)
        assert(n->value <= n->next->value);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
