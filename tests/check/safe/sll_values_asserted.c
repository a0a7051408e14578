//~ SAFE
/* Every element keeps the value it was given. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = 7;
        n->next = list;
        list = n;
    }
    for (struct node *p = list; p; p = p->next)
        assert(p->value == 7);
    for (struct node *p = list; p; p = p->next)
        p->value = 8;
    while (list) {
        assert(list->value == 8);
        struct node *n = list->next;
        free(list);
        list = n;
    }
    return 0;
}
