/* A node on the stack of a finished call stays linked in the list. */
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

static void add(struct node **list)
{
    struct node local = {1, *list};
    *list = &local;
}

int main(void)
{
    struct node first = {0, NULL}, *list = &first;
    if (__VERIFIER_nondet_int())
        add(&list);
    return list->v; //~ ERROR use-after-scope
}
