//~ SAFE
/* A block changes hands between two owners. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct box { int *content; };

static int *take(struct box *b)
{
    int *c = b->content;
    b->content = NULL;
    return c;
}
static void give(struct box *b, int *c)
{
    free(b->content);
    b->content = c;
}

int main(void)
{
    struct box a = {malloc(sizeof(int))}, b = {NULL};
    *a.content = 1;
    while (__VERIFIER_nondet_int()) {
        give(&b, take(&a));
        if (b.content)
            *b.content = 2;
        give(&a, take(&b));
    }
    free(a.content);
    free(b.content);
    return 0;
}
