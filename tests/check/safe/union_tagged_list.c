//~ SAFE
/* Elements hold a number or own a block, as their tag says. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct value { int is_block; union { int number; int *block; } u; struct value *next; };

int main(void)
{
    struct value *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct value *v = malloc(sizeof *v);
        if (__VERIFIER_nondet_int()) {
            v->is_block = 1;
            v->u.block = malloc(sizeof(int));
            *v->u.block = 3;
        } else {
            v->is_block = 0;
            v->u.number = 4;
        }
        v->next = l;
        l = v;
    }
    while (l) {
        struct value *next = l->next;
        if (l->is_block)
            free(l->u.block);
        free(l);
        l = next;
    }
    return 0;
}
