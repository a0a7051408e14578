// A sorted insertion whose values come from outside: the analysis must consider them all, a run draws some.
// Try `heapwise run --seed 7 examples/nondet.c` and `heapwise run --inputs 3,1,2,0 examples/nondet.c`.
// That the list is sorted is said once, as a predicate; that it stays so is proved.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

/*@ predicate sorted(l, low) = l == null
                             | l -> struct node { next: n, value: v } && low <= v * sorted(n, v); */

/*@ requires sorted(list, -2147483648);
    ensures sorted(\result, -2147483648); */
static struct node *insert(struct node *list, int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->value = value;
    if (!list || value <= list->value) {
        n->next = list;
        return n;
    }
    struct node *at = list;
    while (at->next && at->next->value < value)
        at = at->next;
    n->next = at->next;
    at->next = n;
    return list;
}

int main(void)
{
    struct node *list = NULL;
    for (;;) {
        int value = __VERIFIER_nondet_int();
        if (value == 0)
            break;
        list = insert(list, value);
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
