//~ SAFE
/* One cursor follows another at a distance of one. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void)
{
    struct node *head = malloc(sizeof *head);
    head->next = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        head = n;
    }
    struct node *behind = NULL, *ahead = head;
    while (ahead->next) {
        behind = ahead;
        ahead = ahead->next;
    }
    if (behind) {
        assert(behind->next == ahead);
        behind->next = NULL;
        free(ahead);
    } else {
        free(head);
        head = NULL;
    }
    while (head) {
        struct node *n = head->next;
        free(head);
        head = n;
    }
    return 0;
}
