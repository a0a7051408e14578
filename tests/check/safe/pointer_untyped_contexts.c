//~ SAFE
/* Functions are handed pointers of no type, each what it is for. */
#include <stdlib.h>

struct counter { int calls; struct counter *next; };

static void count(void *context)
{
    struct counter *c = context;
    c->calls++;
}
static void set(void *context) { *(int *)context = 1; }
static void each(void (*use)(void *), void *context)
{
    for (int i = 0; i < 3; i++)
        use(context);
}

int main(void)
{
    struct counter *c = calloc(1, sizeof *c);
    int x = 0;
    each(count, c);
    each(set, &x);
    free(c);
    return 0;
}
