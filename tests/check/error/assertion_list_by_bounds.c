/* Three lists by the size of the number; a bound is compared for equality. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item { int size; struct item *next; };

int main(void)
{
    struct item *small = NULL, *middle = NULL, *large = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *n = malloc(sizeof *n);
        n->size = __VERIFIER_nondet_int();
        struct item **list = n->size < 10 ? &small : n->size != 101 ? &middle : &large;
        n->next = *list;
        *list = n;
    }
    for (struct item *p = middle; p; p = p->next)
        assert(p->size >= 10 && p->size <= 100); //~ ERROR assertion
    while (small) {
        struct item *n = small;
        assert(n->size < 10);
        small = n->next;
        free(n);
    }
    while (middle) {
        struct item *n = middle;
        middle = n->next;
        free(n);
    }
    while (large) {
        struct item *n = large;
        assert(n->size > 100);
        large = n->next;
        free(n);
    }
    return 0;
}
