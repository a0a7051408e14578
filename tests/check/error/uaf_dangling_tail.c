/* The tail still points to the element that was taken out. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

int main(void)
{
    struct node *head = NULL, *tail = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->v = 0;
        n->next = NULL;
        if (tail)
            tail->next = n; //~ ERROR use-after-free
        else
            head = n;
        tail = n;
        if (__VERIFIER_nondet_int() && head) {
            struct node *out = head;
            head = head->next;
            free(out);
        }
    }
    while (head) {
        struct node *n = head->next;
        free(head);
        head = n;
    }
    return 0;
}
