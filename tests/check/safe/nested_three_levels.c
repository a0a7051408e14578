//~ SAFE
/* Lists of lists of lists, destroyed by one function per level. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct a { struct a *next; };
struct b { struct a *sub; struct b *next; };
struct c { struct b *sub; struct c *next; };

static struct a *make_a(void)
{
    struct a *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct a *n = malloc(sizeof *n);
        n->next = l;
        l = n;
    }
    return l;
}
static struct b *make_b(void)
{
    struct b *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct b *n = malloc(sizeof *n);
        n->sub = make_a();
        n->next = l;
        l = n;
    }
    return l;
}
static void free_a(struct a *l)
{
    while (l) {
        struct a *n = l->next;
        free(l);
        l = n;
    }
}
static void free_b(struct b *l)
{
    while (l) {
        struct b *n = l->next;
        free_a(l->sub);
        free(l);
        l = n;
    }
}

int main(void)
{
    struct c *l = NULL;
    while (__VERIFIER_nondet_int()) {
        struct c *n = malloc(sizeof *n);
        n->sub = make_b();
        n->next = l;
        l = n;
    }
    while (l) {
        struct c *n = l->next;
        free_b(l->sub);
        free(l);
        l = n;
    }
    return 0;
}
