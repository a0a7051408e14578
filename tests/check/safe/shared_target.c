//~ SAFE
/* All elements point to one shared object, freed after the list. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct common { int count; };
struct node { struct common *shared; struct node *next; };

int main(void)
{
    struct common *c = malloc(sizeof *c);
    c->count = 5;
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->shared = c;
        n->next = list;
        list = n;
    }
    for (struct node *p = list; p; p = p->next) {
        assert(p->shared == c);
        p->shared->count = 6;
    }
    while (list) {
        struct node *n = list->next;
        free(list);
        list = n;
    }
    free(c);
    return 0;
}
