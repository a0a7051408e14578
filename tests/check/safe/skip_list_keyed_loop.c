//~ SAFE
/* Skip list with two levels; one loop goes down the levels by a counter and notes where it left each. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *next[2]; };

int main(void)
{
    struct node *head = calloc(1, sizeof *head);
    while (__VERIFIER_nondet_int()) {
        int key = __VERIFIER_nondet_int();
        struct node *update[2];
        struct node *at = head;
        for (int level = 1; level >= 0; level--) {
            while (at->next[level] && at->next[level]->key < key)
                at = at->next[level];
            update[level] = at;
        }
        struct node *n = calloc(1, sizeof *n);
        n->key = key;
        int height = __VERIFIER_nondet_int() ? 2 : 1;
        for (int level = 0; level < height; level++) {
            n->next[level] = update[level]->next[level];
            update[level]->next[level] = n;
        }
    }
    while (head) {
        struct node *next = head->next[0];
        free(head);
        head = next;
    }
    return 0;
}
