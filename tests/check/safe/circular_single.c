//~ SAFE
/* A circular singly linked list kept by a pointer to its last element. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

int main(void)
{
    struct node *last = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = 1;
        if (last) {
            n->next = last->next;
            last->next = n;
        } else {
            n->next = n;
        }
        last = n;
    }
    if (last) {
        struct node *p = last->next;
        while (p != last) {
            struct node *next = p->next;
            free(p);
            p = next;
        }
        free(last);
    }
    return 0;
}
