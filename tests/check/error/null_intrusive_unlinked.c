/* Deletes an element whose links were cleared before. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head { struct list_head *next, *prev; };

static void list_del(struct list_head *n)
{
    n->next->prev = n->prev; //~ ERROR null-deref
    n->prev->next = n->next;
    n->next = n->prev = NULL;
}

int main(void)
{
    struct list_head head = {&head, &head};
    struct list_head *n = malloc(sizeof *n);
    n->next = &head;
    n->prev = &head;
    head.next = head.prev = n;
    list_del(n);
    if (__VERIFIER_nondet_int())
        list_del(n);
    free(n);
    return 0;
}
