//~ SAFE
/* Removes every element with a given key. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *next; };

static void remove_all(struct node **link, int key)
{
    while (*link) {
        struct node *n = *link;
        if (n->key == key) {
            *link = n->next;
            free(n);
        } else {
            link = &n->next;
        }
    }
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->key = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    remove_all(&list, 0);
    remove_all(&list, 1);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
