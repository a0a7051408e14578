/* Whether there was a second element decides the exit status; the element itself is lost. */
// seen by sanitizers by chance: a stale copy of the pointer may be left on the stack
#include <stdlib.h>

struct node { struct node *next; };

static void stop(int status)
{
    exit(status);
}

static void drop(struct node **head)
{
    int more = (*head)->next != NULL;
    free(*head); //~ ERROR leak
    *head = NULL;
    stop(more);
}

int main(void)
{
    struct node *head = malloc(sizeof *head);
    head->next = malloc(sizeof *head);
    head->next->next = NULL;
    drop(&head);
    return 0;
}
