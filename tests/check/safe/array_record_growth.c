//~ SAFE
/* An array that doubles when it is full; its length and its room are members of a record. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct vector { int *data; size_t length, room; };

static void push(struct vector *v, int x)
{
    if (v->length == v->room) {
        v->room = v->room ? v->room * 2 : 4;
        v->data = realloc(v->data, v->room * sizeof *v->data);
        if (!v->data)
            abort();
    }
    v->data[v->length++] = x;
}

int main(void)
{
    struct vector v = {0};
    while (v.length < 100000 && __VERIFIER_nondet_int())
        push(&v, 1);
    free(v.data);
    return 0;
}
