/* The sentinel on the stack is freed like an element. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void)
{
    struct node header = {NULL}, *list = &header;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *n = list->next;
        free(list); //~ ERROR invalid-free
        list = n;
    }
    return 0;
}
