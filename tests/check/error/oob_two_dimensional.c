/* Rows and columns are exchanged. */
#include <stdlib.h>

int main(void)
{
    int (*m)[3] = malloc(2 * sizeof *m);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            m[i][j] = 0; //~ ERROR out-of-bounds
    free(m);
    return 0;
}
