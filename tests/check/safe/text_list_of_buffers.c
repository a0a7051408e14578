//~ SAFE
/* Buffers of sizes that are not known, which elements own. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct packet {
    struct packet *next;
    int size;
    char *bytes;
};

int main(void)
{
    struct packet *all = NULL;
    while (__VERIFIER_nondet_int()) {
        int size = __VERIFIER_nondet_int();
        if (size < 1 || size > 1000)
            continue;
        struct packet *p = malloc(sizeof *p);
        if (!p)
            abort();
        p->bytes = malloc(size);
        if (!p->bytes)
            abort();
        p->size = size;
        p->next = all;
        all = p;
    }
    for (struct packet *p = all; p; p = p->next)
        p->bytes[0] = 0;
    while (all) {
        struct packet *next = all->next;
        free(all->bytes);
        free(all);
        all = next;
    }
    return 0;
}
