/* The result of a search is used without a test. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key, value; struct node *next; };

static struct node *find(struct node *l, int key)
{
    while (l && l->key != key)
        l = l->next;
    return l;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->key = i;
        n->value = 0;
        n->next = list;
        list = n;
    }
    find(list, __VERIFIER_nondet_int())->value = 1; //~ ERROR null-deref
    while (list) {
        struct node *n = list->next;
        free(list);
        list = n;
    }
    return 0;
}
