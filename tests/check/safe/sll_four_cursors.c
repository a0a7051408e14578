//~ SAFE
/* Four cursors stand anywhere in a list, in any order, and elements are changed, put in and taken out where they stand. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int data; };
static void mark(struct node *at) { if (at) at->data = 1; }
int main(void)
{
    struct node *l = NULL, *p;
    while (__VERIFIER_nondet_int()) {
        p = malloc(sizeof *p);
        p->data = 0;
        p->next = l;
        l = p;
    }
    struct node *a = l, *b = l, *c = l, *d = l;
    while (a && __VERIFIER_nondet_int()) a = a->next;
    while (b && __VERIFIER_nondet_int()) b = b->next;
    while (c && __VERIFIER_nondet_int()) c = c->next;
    while (d && __VERIFIER_nondet_int()) d = d->next;
    if (a) { p = malloc(sizeof *p); p->data = 3; p->next = a->next; a->next = p; }
    if (b && b->next) b->next->data = 2;
    if (c && c->next) {
        p = c->next;
        c->next = p->next;
        free(p);
    }
    while (l) { p = l->next; free(l); l = p; }
    return 0;
}
