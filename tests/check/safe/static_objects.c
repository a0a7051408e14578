//~ SAFE
/* Global and static objects linked with heap objects. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int fixed; struct node *next; };
static struct node anchor = {1, NULL};

static struct node *get_static(void)
{
    static struct node local = {1, NULL};
    return &local;
}

int main(void)
{
    struct node *s = get_static();
    s->next = NULL;
    anchor.next = s;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->fixed = 0;
        n->next = anchor.next;
        anchor.next = n;
    }
    struct node *p = anchor.next;
    while (p) {
        struct node *next = p->next;
        if (!p->fixed)
            free(p);
        p = next;
    }
    anchor.next = NULL;
    return 0;
}
