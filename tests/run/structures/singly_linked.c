#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *push(struct node *head, int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = head;
    return n;
}
static struct node *reverse(struct node *head)
{
    struct node *done = NULL;
    while (head) {
        struct node *next = head->next;
        head->next = done;
        done = head;
        head = next;
    }
    return done;
}
static void insert_sorted(struct node **at, int value)
{
    while (*at && (*at)->value < value)
        at = &(*at)->next;
    *at = push(*at, value);
}
static int remove_all(struct node **at, int value)
{
    int removed = 0;
    while (*at) {
        struct node *n = *at;
        if (n->value == value) {
            *at = n->next;
            free(n);
            removed++;
        } else
            at = &n->next;
    }
    return removed;
}
static void print(const struct node *n)
{
    for (; n; n = n->next)
        printf("%d%s", n->value, n->next ? " -> " : "\n");
}
static void destroy(struct node *n)
{
    if (!n)
        return;
    destroy(n->next);
    free(n);
}

int main(void)
{
    struct node *list = NULL;
    const int input[] = {5, 3, 8, 3, 1, 9, 3, 7};
    for (int i = 0; i < 8; i++)
        insert_sorted(&list, input[i]);
    print(list);
    list = reverse(list);
    print(list);
    printf("%d removed\n", remove_all(&list, 3));
    print(list);
    list = push(list, 42);
    printf("%d\n", list->value);
    destroy(list);
    return 0;
}
