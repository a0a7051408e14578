//~ SAFE
/* Rows of numbers on the heap and in a variable are filled one by one. */
#include <stdlib.h>

int main(void)
{
    int here[5][6];
    int (*there)[6] = malloc(5 * sizeof *there);
    if (!there)
        return 1;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 6; j++)
            here[i][j] = there[i][j] = i + j;
    free(there);
    return 0;
}
