//~ SAFE
/* Whole structs assigned, with the pointers in them. */
#include <assert.h>
#include <stdlib.h>

struct handle { int *data; int size; };

static struct handle open_handle(int n)
{
    struct handle h = {malloc(3 * sizeof(int)), 3};
    for (int i = 0; i < h.size; i++)
        h.data[i] = n;
    return h;
}
static void close_handle(struct handle h) { free(h.data); }

int main(void)
{
    struct handle a = open_handle(1), b;
    b = a;
    a = open_handle(2);
    assert(b.data != a.data);
    assert(b.data[2] == 1 && a.data[0] == 2);
    close_handle(a);
    close_handle(b);
    return 0;
}
