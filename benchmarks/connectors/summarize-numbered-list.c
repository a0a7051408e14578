/* A list of consecutive numbers is summarised; wherever one looks, the next value is larger by one. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int value;
};

int main(void) {
    struct node *list = NULL;
    for (int i = 6; i > 0; i--) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->value = i;
        fresh->next = list;
        list = fresh;
    }
    struct node *p = list;
    if (p == NULL)
        return 0;
    while (p->next != NULL && __VERIFIER_nondet_int())
        p = p->next;
    if (p->next != NULL)
        assert(p->next->value == p->value + 1);
    return 0;
}
