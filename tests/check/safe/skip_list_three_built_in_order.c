//~ SAFE
/* Three levels built front to back; walked on the upper levels, freed on the lowest. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *next[3]; };

int main(void)
{
    struct node *head = calloc(1, sizeof *head);
    struct node *low = head, *middle = head, *high = head;
    while (__VERIFIER_nondet_int()) {
        struct node *n = calloc(1, sizeof *n);
        low->next[0] = n;
        low = n;
        if (__VERIFIER_nondet_int()) {
            middle->next[1] = n;
            middle = n;
            if (__VERIFIER_nondet_int()) {
                high->next[2] = n;
                high = n;
            }
        }
    }
    int even = 0;
    for (struct node *n = head; n; n = n->next[2])
        even ^= n->key & 1;
    for (struct node *n = head; n; n = n->next[1])
        even ^= n->key & 1;
    while (head) {
        struct node *n = head;
        head = n->next[0];
        free(n);
    }
    return even;
}
