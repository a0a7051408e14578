/* A pointer that walks along a list divides it into a segment and a list; the global keeps the end. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void __heapwise_check_shape(const char *);

struct node { struct node *next; };
/*@ predicate list(x) = x == null | x -> struct node { next: n } * list(n); */

static struct node *head, *last;

static void append(void)
{
    struct node *x = malloc(sizeof *x);
    x->next = NULL;
    if (last)
        last->next = x;
    else
        head = x;
    last = x;
}

int main(void)
{
    append();
    while (__VERIFIER_nondet_int()) {
        append();
        __heapwise_check_shape("list(head; last) * last -> struct node { next: null }");
    }
    for (struct node *p = head; p != NULL; p = p->next)
        __heapwise_check_shape("list(head; p) * list(p) && p != null");
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
