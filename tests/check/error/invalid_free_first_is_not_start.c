/* The container starts before the member that is listed first here. */
#include <stdlib.h>

struct base { int id; };
struct derived { long extra; struct base base; };

static struct base *make(void)
{
    struct derived *d = malloc(sizeof *d);
    d->extra = 0;
    d->base.id = 1;
    return &d->base;
}
static void destroy(struct base *b)
{
    free(b); //~ ERROR invalid-free
}

int main(void)
{
    struct base *b = make();
    b->id = 2;
    destroy(b);
    return 0;
}
