//~ SAFE
/* Each element of a list owns a block, and the last byte of each is written. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item { struct item *next; char *bytes; };

int main(void)
{
    struct item *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *x = malloc(sizeof *x);
        x->bytes = calloc(6, 1);
        x->next = list;
        list = x;
    }
    int sum = 0;
    for (struct item *p = list; p != NULL; p = p->next)
        p->bytes[5] = (char)sum++;
    while (list) {
        struct item *next = list->next;
        free(list->bytes);
        free(list);
        list = next;
    }
    return sum == 77;
}
