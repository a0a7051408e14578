/* The new entry is dropped when the key is there already. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry { int key; struct entry *next; };

static void add(struct entry **l, int key)
{
    struct entry *e = malloc(sizeof *e);
    e->key = key;
    for (struct entry *p = *l; p; p = p->next)
        if (p->key == key)
            return; //~ ERROR leak
    e->next = *l;
    *l = e;
}

int main(void)
{
    struct entry *l = NULL;
    while (__VERIFIER_nondet_int())
        add(&l, __VERIFIER_nondet_int());
    while (l) {
        struct entry *n = l->next;
        free(l);
        l = n;
    }
    return 0;
}
