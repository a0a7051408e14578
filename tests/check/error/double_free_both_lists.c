/* The joined list and its second half are both destroyed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

static struct node *build(void)
{
    struct node *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = l;
        l = n;
    }
    return l;
}

int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    b->next = build();
    a->next = b;
    while (a) {
        struct node *n = a->next;
        free(a);
        a = n;
    }
    free(b); //~ ERROR double-free
    return 0;
}
