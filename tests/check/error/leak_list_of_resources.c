/* Resources know how they are released: some that own a block say otherwise. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct resource { void (*release)(struct resource *); void *memory; struct resource *next; };

static void release_plain(struct resource *r) { free(r); } //~ ERROR leak
static void release_owner(struct resource *r)
{
    free(r->memory);
    free(r);
}

int main(void)
{
    struct resource *all = NULL;
    while (__VERIFIER_nondet_int()) {
        struct resource *r = malloc(sizeof *r);
        if (__VERIFIER_nondet_int()) {
            r->memory = malloc(16);
            r->release = __VERIFIER_nondet_int() ? release_owner : release_plain;
        } else {
            r->memory = NULL;
            r->release = release_plain;
        }
        r->next = all;
        all = r;
    }
    while (all) {
        struct resource *next = all->next;
        all->release(all);
        all = next;
    }
    return 0;
}
