/* Clearing a ring leaves its sentinel, which is then forgotten. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct ring { struct ring *next, *prev; };

static struct ring *make(void)
{
    struct ring *r = malloc(sizeof *r);
    r->next = r->prev = r;
    while (__VERIFIER_nondet_int()) {
        struct ring *n = malloc(sizeof *n);
        n->next = r;
        n->prev = r->prev;
        r->prev->next = n;
        r->prev = n;
    }
    return r;
}
static void clear(struct ring *r)
{
    while (r->next != r) {
        struct ring *n = r->next;
        r->next = n->next;
        n->next->prev = r;
        free(n);
    }
}

int main(void)
{
    struct ring *r = make();
    clear(r);
    r = make(); //~ ERROR leak
    clear(r);
    free(r);
    return 0;
}
