#include <stdio.h>
#include <stdlib.h>

typedef int row[3];

static row *allocate(int n)
{
    row *r = malloc(n * sizeof *r);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            r[i][j] = i * 3 + j;
    return r;
}

static void swap_rows(row *a, row *b)
{
    for (int j = 0; j < 3; j++) {
        int t = (*a)[j];
        (*a)[j] = (*b)[j];
        (*b)[j] = t;
    }
}

static int (*find(row *rows, int n, int key))[3]
{
    for (row *r = rows; r < rows + n; r++)
        for (int *cell = *r; cell < *r + 3; cell++)
            if (*cell == key)
                return r;
    return NULL;
}

int main(void)
{
    row *r = allocate(4);
    swap_rows(&r[0], r + 3);
    for (int i = 0; i < 4; i++)
        printf("%d %d %d\n", r[i][0], r[i][1], r[i][2]);
    int (*hit)[3] = find(r, 4, 4);
    printf("%d %d\n", (int)(hit - r), (*hit)[2]);
    printf("%d\n", find(r, 4, 99) == NULL);
    const row constant = {7, 8, 9};
    const row *pc = &constant;
    printf("%d\n", (*pc)[1] + **pc);
    free(r);
    return 0;
}
