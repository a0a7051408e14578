/* What is freed is where the cursor stopped, not where the block starts. */
#include <stdlib.h>

int main(void)
{
    int *block = malloc(24 * sizeof *block), *q = block + 24;
    if (!block)
        return 1;
    while (q > block + 1) {
        q--;
        *q = 2;
    }
    free(q); //~ ERROR invalid-free
    return 0;
}
