/* The shared object dies with the first element that is removed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct common { int c; };
struct node { struct common *shared; struct node *next; };

int main(void)
{
    struct common *c = malloc(sizeof *c);
    c->c = 0;
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->shared = c;
        n->next = list;
        list = n;
    }
    int freed = 0;
    while (list) {
        struct node *n = list;
        list = n->next;
        n->shared->c = 1; //~ ERROR use-after-free
        if (!freed) {
            free(n->shared);
            freed = 1;
        }
        free(n);
    }
    if (!freed)
        free(c);
    return 0;
}
