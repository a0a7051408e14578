/* A handle copied by value is closed twice. */
#include <stdlib.h>

struct handle { char *buffer; };

static void close_handle(struct handle h)
{
    free(h.buffer); //~ ERROR double-free
}

int main(void)
{
    struct handle a = {malloc(8)}, b = a;
    b.buffer[0] = 'x';
    close_handle(a);
    close_handle(b);
    return 0;
}
