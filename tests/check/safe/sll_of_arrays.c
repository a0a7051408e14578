//~ SAFE
/* A list of blocks holding small arrays, as in an unrolled list. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct chunk { int used; int v[4]; struct chunk *next; };

int main(void)
{
    struct chunk *list = NULL;
    while (__VERIFIER_nondet_int()) {
        if (!list || list->used == 4) {
            struct chunk *c = malloc(sizeof *c);
            c->used = 0;
            c->next = list;
            list = c;
        }
        list->v[list->used++] = 1;
    }
    while (list) {
        struct chunk *next = list->next;
        for (int i = 0; i < list->used; i++)
            if (list->v[i] != 1)
                abort();
        free(list);
        list = next;
    }
    return 0;
}
