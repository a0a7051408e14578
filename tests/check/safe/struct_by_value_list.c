//~ SAFE
/* A list handle passed and returned by value. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };
struct list { struct node *head; unsigned length; };

static struct list push(struct list l)
{
    struct node *n = malloc(sizeof *n);
    n->next = l.head;
    l.head = n;
    l.length++;
    return l;
}
static struct list pop(struct list l)
{
    struct node *n = l.head;
    l.head = n->next;
    l.length--;
    free(n);
    return l;
}

int main(void)
{
    struct list l = {NULL, 0};
    while (__VERIFIER_nondet_int())
        l = push(l);
    while (l.head)
        l = pop(l);
    return 0;
}
