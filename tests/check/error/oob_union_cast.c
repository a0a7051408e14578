/* The object is smaller than the type it is accessed with. */
#include <stdlib.h>

struct header { int kind; };
struct wide { struct header h; long payload[4]; };

static struct header *make(int kind)
{
    struct header *h = malloc(kind ? sizeof(struct wide) : sizeof(struct header));
    h->kind = kind;
    return h;
}

int main(void)
{
    struct header *h = make(0);
    struct wide *w = (struct wide *)h;
    w->payload[0] = 1; //~ ERROR out-of-bounds
    free(h);
    return 0;
}
