//~ SAFE
/* A volatile variable that nothing writes says how long a list becomes; one that is written is like any other. */
#include <stdlib.h>

volatile int more;
volatile int state;

struct node { struct node *next; };

int main(void)
{
    struct node *list = NULL;
    state = 1;
    while (more) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *n = list->next;
        free(list);
        list = n;
    }
    if (state != 1)
        return *(int *)list;
    return 0;
}
