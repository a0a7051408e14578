// Builds a list, reverses it in place, prints and frees it.
// The classic first question to a shape analyser: is it still one list after the reversal, and is all of it freed?
#include <stdio.h>
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
    struct node *list = NULL;
    for (int i = 0; i < 5; i++)
        list = push(list, i * i);
    list = reverse(list);
    for (struct node *n = list; n; n = n->next)
        printf("%d ", n->value);
    putchar('\n');
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
