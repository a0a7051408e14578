// A bug: removing elements while walking the list. The step of the `for` reads a node that was just freed.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *push(struct node *list, int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->next = list;
    n->value = value;
    return n;
}

static struct node *remove_all(struct node *list, int value)
{
    struct node **link = &list;
    for (struct node *n = list; n; n = n->next) {
        if (n->value == value) {
            *link = n->next;
            free(n);
        } else {
            link = &n->next;
        }
    }
    return list;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 4; i++)
        list = push(list, i % 2);
    list = remove_all(list, 1);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
