/* An element is taken off a list and forgotten; then the program ends where it is. */
#include <stdlib.h>

struct node { struct node *next; };

static struct node *push(struct node *head)
{
    struct node *x = malloc(sizeof *x);
    x->next = head;
    return x;
}

static void drop_first(struct node **head)
{
    *head = (*head)->next; //~ ERROR leak
    if (*head)
        exit(1);
}

int main(void)
{
    struct node *head = push(push(NULL));
    drop_first(&head);
    return 0;
}
