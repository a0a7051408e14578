/* The size of the array is given in the wrong unit. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    short *v = malloc(8 * sizeof *v);
    memset(v, 0, 8 * sizeof(int)); //~ ERROR out-of-bounds
    free(v);
    return 0;
}
