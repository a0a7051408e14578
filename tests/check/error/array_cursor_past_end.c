/* A cursor walks from the start of a block to its end, and writes there, too. */
#include <stdlib.h>

int main(void)
{
    int *block = malloc(24 * sizeof *block);
    if (!block)
        return 1;
    int *end = block + 24;
    for (int *p = block; p <= end; p++)
        *p = 1; //~ ERROR out-of-bounds
    free(block);
    return 0;
}
