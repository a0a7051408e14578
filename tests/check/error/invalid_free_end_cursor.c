/* The cursor that filled the block is freed instead of its start. */
#include <stdlib.h>

int main(void)
{
    int *start = malloc(4 * sizeof *start), *cursor = start;
    for (int i = 0; i < 3; i++)
        *cursor++ = i;
    free(cursor); //~ ERROR invalid-free
    return 0;
}
