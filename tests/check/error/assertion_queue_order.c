/* A stack is taken for a queue. */
#include <assert.h>
#include <stdlib.h>

struct node { int v; struct node *next; };

static void put(struct node **l, int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = *l;
    *l = n;
}
static int get(struct node **l)
{
    struct node *n = *l;
    int v = n->v;
    *l = n->next;
    free(n);
    return v;
}

int main(void)
{
    struct node *l = NULL;
    put(&l, 1);
    put(&l, 2);
    int first = get(&l), second = get(&l);
    assert(first == 1 && second == 2); //~ ERROR assertion
    return 0;
}
