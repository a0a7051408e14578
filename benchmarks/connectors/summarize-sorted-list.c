/* A list in ascending order is summarised; wherever one looks, the next value is larger. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void) {
    struct node *list = NULL;
    int value = 100;
    for (int i = 0; i < 6 && value > 0; i++) {
        int by = __VERIFIER_nondet_int();
        if (by < 1 || by > 10)
            by = 1;
        value = value - by;
        struct node *fresh = malloc(sizeof *fresh);
        fresh->value = value;
        fresh->next = list;
        list = fresh;
    }
    struct node *p = list;
    if (p == NULL)
        return 0;
    while (p->next != NULL && __VERIFIER_nondet_int())
        p = p->next;
    if (p->next != NULL)
        assert(p->value < p->next->value);
    return 0;
}
