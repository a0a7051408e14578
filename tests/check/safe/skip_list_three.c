//~ SAFE
/* Skip list with three levels. The cursors of the three walks stand anywhere on their levels, and remember where these ended:
   what a walk on a lower level passes is lower than the element that the walk above it stopped at. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *next[3]; };

int main(void)
{
    struct node *head = malloc(sizeof *head);
    head->key = 0;
    head->next[0] = head->next[1] = head->next[2] = NULL;
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        struct node *a = head, *b, *c;
        while (a->next[2] && a->next[2]->key < key)
            a = a->next[2];
        b = a;
        while (b->next[1] && b->next[1]->key < key)
            b = b->next[1];
        c = b;
        while (c->next[0] && c->next[0]->key < key)
            c = c->next[0];
        struct node *n = malloc(sizeof *n);
        n->key = key;
        n->next[1] = n->next[2] = NULL;
        n->next[0] = c->next[0];
        c->next[0] = n;
        if (__VERIFIER_nondet_int()) {
            n->next[1] = b->next[1];
            b->next[1] = n;
            if (__VERIFIER_nondet_int()) {
                n->next[2] = a->next[2];
                a->next[2] = n;
            }
        }
    }
    while (head) {
        struct node *n = head;
        head = n->next[0];
        free(n);
    }
    return 0;
}
