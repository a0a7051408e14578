#include <stdio.h>

static int sum(int n, int m, int a[n][m])
{
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[i][j];
    return s;
}

static void transpose(int n, int m, int from[n][m], int to[m][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[j][i] = from[i][j];
}

static int star(int n, int a[*]);
static int star(int n, int a[n]) { return a[n - 1]; }

static int triangle(int n)
{
    int total = 0;
    for (int i = 1; i <= n; i++) {
        char row[i];
        for (int j = 0; j < i; j++)
            row[j] = (char)(j + 1);
        total += row[i - 1] + (int)sizeof row;
    }
    return total;
}

int main(void)
{
    int n = 3, m = 4;
    int a[n][m], b[m][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = i * 10 + j;
    transpose(n, m, a, b);
    printf("%d %d\n", sum(n, m, a), sum(m, n, b));
    printf("%d %d %d\n", b[3][2], a[2][3], star(m, a[1]));
    printf("%d %d\n", (int)(sizeof a / sizeof(int)), (int)(sizeof a[0] / sizeof(int)));
    int (*rows)[m] = a;
    rows++;
    printf("%d %d\n", rows[0][0], (int)(rows - a));
    n = 100;
    printf("%d\n", (int)(sizeof a / sizeof a[0]));
    printf("%d\n", triangle(6));
    typedef int line[m];
    m = 9;
    line l;
    printf("%d\n", (int)(sizeof l / sizeof l[0]));
    int k = 2;
    int size = (int)sizeof(int[k++ + 1]);
    printf("%d %d\n", size / (int)sizeof(int), k);
    return 0;
}
