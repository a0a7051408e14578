//~ SAFE
/* Appends by walking down recursively and returning the list. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int v; struct node *next; };

static struct node *append(struct node *list, int v)
{
    if (list == NULL) {
        struct node *n = malloc(sizeof *n);
        n->v = v;
        n->next = NULL;
        return n;
    }
    list->next = append(list->next, v);
    return list;
}

static void release(struct node *list)
{
    while (list != NULL) {
        struct node *gone = list;
        list = list->next;
        free(gone);
    }
}

int main(void)
{
    struct node *list = NULL;
    do {
        list = append(list, __VERIFIER_nondet_int());
    } while (__VERIFIER_nondet_int());
    list->v = 0;
    release(list);
    return 0;
}
