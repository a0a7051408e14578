/* Rows of numbers on the heap are filled, and one more. */
#include <stdlib.h>

int main(void)
{
    int (*there)[6] = malloc(5 * sizeof *there);
    if (!there)
        return 1;
    for (int i = 0; i <= 5; i++)
        for (int j = 0; j < 6; j++)
            there[i][j] = i + j; //~ ERROR out-of-bounds
    free(there);
    return 0;
}
