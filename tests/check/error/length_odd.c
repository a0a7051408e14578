/* Three elements are added at a time, and two taken out. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

static struct node *add(struct node *list)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->next = list;
    return n;
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int())
        list = add(add(add(list)));
    while (list) {
        struct node *second = list->next;
        free(list);
        list = second->next; //~ ERROR null-deref
        free(second);
    }
    return 0;
}
