//~ SAFE
/* Drops neighbours with equal keys. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *next; };

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->key = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    for (struct node *p = list; p; p = p->next)
        while (p->next && p->next->key == p->key) {
            struct node *same = p->next;
            p->next = same->next;
            free(same);
        }
    while (list) {
        struct node *n = list->next;
        free(list);
        list = n;
    }
    return 0;
}
