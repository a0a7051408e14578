/* The successor's prev pointer is not updated on removal of the first element. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next, *prev; };

int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->v = i;
        n->next = head;
        n->prev = NULL;
        if (head)
            head->prev = n;
        head = n;
    }
    if (__VERIFIER_nondet_int()) {
        struct node *out = head;
        head = head->next;
        free(out);
    }
    if (head->prev)
        head->prev->v = 9; //~ ERROR use-after-free
    while (head) {
        struct node *n = head->next;
        free(head);
        head = n;
    }
    return 0;
}
