//~ SAFE
/* Reverses a list in place. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

static struct node *build(void)
{
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = head;
        head = n;
    }
    return head;
}

static struct node *reverse(struct node *list)
{
    struct node *done = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

int main(void)
{
    struct node *first = build();
    struct node *list = reverse(first);
    if (first)
        assert(first->next == NULL);
    list = reverse(list);
    assert(list == first);
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
