//~ SAFE
/* A cursor runs over a block of known size in both directions. */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *block = malloc(16 * sizeof *block), *end = block + 16;
    for (int *p = block; p < end; p++)
        *p = (int)(p - block);
    int *q = end;
    while (q > block) {
        q--;
        assert(*q == (int)(q - block));
    }
    assert(q == block);
    free(q);
    return 0;
}
