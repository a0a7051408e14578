/* Functions are handed pointers of no type, one of them not what it is for. */
#include <stdlib.h>

struct counter { int calls; struct counter *next; };

static void count(void *context)
{
    struct counter *c = context;
    c->next = c; //~ ERROR out-of-bounds
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
    each(count, &x);
    free(c);
    return 0;
}
