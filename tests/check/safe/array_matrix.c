//~ SAFE
/* A two-dimensional array on the stack and one on the heap. */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int a[3][4];
    int (*b)[4] = malloc(3 * sizeof *b);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            b[i][j] = a[i][j] = i * 4 + j;
    assert(a[2][3] == 11);
    assert(b[1][0] == a[1][0]);
    free(b);
    return 0;
}
