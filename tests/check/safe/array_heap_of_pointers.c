//~ SAFE
/* A heap block of pointers to heap blocks. */
#include <stdlib.h>

int main(void)
{
    enum { N = 5 };
    char **rows = malloc(N * sizeof *rows);
    for (int i = 0; i < N; i++) {
        rows[i] = malloc(i + 1);
        for (int j = 0; j <= i; j++)
            rows[i][j] = 'a';
    }
    for (int i = N - 1; i >= 0; i--)
        free(rows[i]);
    free(rows);
    return 0;
}
