//~ SAFE
/* Skip list with two levels in an array of links, by functions: insertion, lookup, destruction. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next[2]; int key; };

static struct node *make(int key)
{
    struct node *n = malloc(sizeof *n);
    n->next[0] = n->next[1] = NULL;
    n->key = key;
    return n;
}
static void insert(struct node *head, int key, int high)
{
    struct node *a = head;
    while (a->next[1] && a->next[1]->key < key)
        a = a->next[1];
    struct node *b = a;
    while (b->next[0] && b->next[0]->key < key)
        b = b->next[0];
    struct node *n = make(key);
    n->next[0] = b->next[0];
    b->next[0] = n;
    if (high) {
        n->next[1] = a->next[1];
        a->next[1] = n;
    }
}
static int contains(const struct node *at, int key)
{
    while (at->next[1] && at->next[1]->key < key)
        at = at->next[1];
    while (at->next[0] && at->next[0]->key < key)
        at = at->next[0];
    return at->next[0] && at->next[0]->key == key;
}
static void destroy(struct node *at)
{
    while (at) {
        struct node *next = at->next[0];
        free(at);
        at = next;
    }
}

int main(void)
{
    struct node *head = make(0);
    while (__VERIFIER_nondet_int())
        insert(head, __VERIFIER_nondet_int(), __VERIFIER_nondet_int());
    int found = contains(head, 3);
    destroy(head);
    return found;
}
