/* The owner is freed before the block it owns is reached through it. */
#include <stdlib.h>

struct owner { int *data; };

static struct owner *make(void)
{
    struct owner *o = malloc(sizeof *o);
    o->data = malloc(sizeof *o->data);
    *o->data = 3;
    return o;
}

int main(void)
{
    struct owner *o = make();
    free(o);
    free(o->data); //~ ERROR use-after-free
    return 0;
}
