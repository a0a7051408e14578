// A bug: an element is taken out of a doubly-linked list, but only one of its neighbours hears of it.
#include <stdlib.h>

struct node {
    struct node *next;
    struct node *prev;
    int value;
};

static struct node *push(struct node *head, int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->next = head;
    n->prev = NULL;
    n->value = value;
    if (head)
        head->prev = n;
    return n;
}

static void take_out(struct node *n)
{
    if (n->prev)
        n->prev->next = n->next;
    // if (n->next) n->next->prev = n->prev; is missing
    free(n);
}

int main(void)
{
    struct node *head = NULL;
    for (int i = 0; i < 3; i++)
        head = push(head, i);
    struct node *last = head->next->next;
    take_out(head->next);
    int before = last->prev->value;
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return before;
}
