//~ SAFE
/* The first element's link back leads to the last one, so that there is no need for a pointer to it. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct value { struct value *next, *prev; int number; };
struct array { struct value *child; };

static void append(struct array *a, int number)
{
    struct value *v = malloc(sizeof *v);
    if (!v)
        abort();
    v->number = number;
    v->next = NULL;
    if (a->child == NULL) {
        v->prev = v;
        a->child = v;
    } else {
        struct value *last = a->child->prev;
        last->next = v;
        v->prev = last;
        a->child->prev = v;
    }
}

int main(void)
{
    struct array a = { NULL };
    while (__VERIFIER_nondet_int())
        append(&a, __VERIFIER_nondet_int());
    for (struct value *v = a.child; v;) {
        struct value *next = v->next;
        free(v);
        v = next;
    }
    return 0;
}
