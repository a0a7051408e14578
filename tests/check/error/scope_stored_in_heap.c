/* A heap object keeps the address of a parameter. */
#include <stdlib.h>

struct ref { int *target; };

static void attach(struct ref *r, int value) { r->target = &value; }

int main(void)
{
    struct ref *r = malloc(sizeof *r);
    attach(r, 4);
    int v = *r->target; //~ ERROR use-after-scope
    free(r);
    return v;
}
