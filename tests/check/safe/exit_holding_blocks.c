//~ SAFE
/* The program ends inside a function while variables of its callers hold all blocks. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int v; };

static struct node *push(struct node *head, int v)
{
    struct node *x = malloc(sizeof *x);
    if (v > 3)
        free(x), exit(1);
    x->next = head;
    x->v = v;
    return x;
}

int main(void)
{
    struct node *head = NULL;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < 5 && i < n; i++)
        head = push(head, i);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
