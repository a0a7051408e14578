//~ SAFE
/* The elements of a doubly linked list own singly linked lists. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item { struct item *next; };
struct row { struct item *items; struct row *next, *prev; };

int main(void)
{
    struct row *rows = NULL;
    while (__VERIFIER_nondet_int()) {
        struct row *r = malloc(sizeof *r);
        r->items = NULL;
        while (__VERIFIER_nondet_int()) {
            struct item *i = malloc(sizeof *i);
            i->next = r->items;
            r->items = i;
        }
        r->prev = NULL;
        r->next = rows;
        if (rows)
            rows->prev = r;
        rows = r;
    }
    while (rows) {
        struct row *r = rows;
        rows = r->next;
        if (rows)
            rows->prev = NULL;
        for (struct item *i = r->items; i;) {
            struct item *next = i->next;
            free(i);
            i = next;
        }
        free(r);
    }
    return 0;
}
