//~ SAFE
/* Construction, traversal and destruction by recursion. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list { unsigned value; struct list *rest; };

static struct list *build(unsigned value)
{
    if (!__VERIFIER_nondet_int())
        return NULL;
    struct list *l = malloc(sizeof *l);
    l->value = value;
    l->rest = build(value + 1);
    return l;
}
static unsigned length(const struct list *l) { return l ? 1 + length(l->rest) : 0; }
static void destroy(struct list *l)
{
    if (l) {
        destroy(l->rest);
        free(l);
    }
}

int main(void)
{
    struct list *l = build(0);
    unsigned n = length(l);
    destroy(l);
    return n > 1000;
}
