/* Ones, a two, threes and perhaps a one; a walk with two states finds none but threes after the two. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int data; struct node *next; };

static struct node *append(struct node *last, int data)
{
    struct node *n = malloc(sizeof *n);
    n->data = data;
    n->next = NULL;
    if (last)
        last->next = n;
    return n;
}

int main(void)
{
    struct node *head = append(NULL, 1), *p = head;
    while (__VERIFIER_nondet_int())
        p = append(p, 1);
    p = append(p, 2);
    while (__VERIFIER_nondet_int())
        p = append(p, 3);
    if (__VERIFIER_nondet_int())
        p = append(p, 1);
    int state = 0;
    for (p = head; p; p = p->next) {
        if (state == 0) {
            if (p->data == 2)
                state = 1;
            else
                assert(p->data == 1);
        } else {
            assert(p->data == 3); //~ ERROR assertion
        }
    }
    assert(state == 1);
    while (head) {
        p = head->next;
        free(head);
        head = p;
    }
    return 0;
}
