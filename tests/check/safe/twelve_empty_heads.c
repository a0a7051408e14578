//~ SAFE
/* A hash table of twelve lists, all empty at first. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int key; };

int main(void)
{
    struct node *heads[12], *p;
    int i;
    for (i = 0; i < 12; i++)
        heads[i] = 0;
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        if (key < 0)
            continue;
        i = key % 12;
        p = malloc(sizeof *p);
        p->key = key;
        p->next = heads[i];
        heads[i] = p;
    }
    for (i = 0; i < 12; i++)
        while (heads[i]) {
            p = heads[i]->next;
            free(heads[i]);
            heads[i] = p;
        }
    return 0;
}
