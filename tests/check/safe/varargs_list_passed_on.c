//~ SAFE
/* A list of arguments is handed to another function, which takes them from it. */
#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

struct node { struct node *next; long v; };

static struct node *vpush(struct node *head, int n, va_list ap)
{
    for (int i = 0; i < n; i++) {
        struct node *x = va_arg(ap, struct node *);
        x->v = va_arg(ap, long);
        x->next = head;
        head = x;
    }
    return head;
}

static struct node *push(struct node *head, int n, ...)
{
    va_list ap;
    va_start(ap, n);
    head = vpush(head, n, ap);
    va_end(ap);
    return head;
}

int main(void)
{
    struct node *head = push(NULL, 2, malloc(sizeof(struct node)), 1L, malloc(sizeof(struct node)), 2L);
    assert(head->v == 2);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
