//~ SAFE
/* A cursor walks from the start of a block to its end, and another one back to the first. */
#include <stdlib.h>

int main(void)
{
    int *block = malloc(24 * sizeof *block);
    if (!block)
        return 1;
    int *end = block + 24;
    for (int *p = block; p < end; p++)
        *p = 1;
    int *q = end;
    while (q > block) {
        q--;
        *q = 2;
    }
    free(q);
    return 0;
}
