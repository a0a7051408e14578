#include <stdio.h>

/* Abstract declarators in sizeof, casts and parameter lists without names. */
static int apply(int (*)(int), int);
static int sum(const int[], int);
static int first(int (*)[4]);

static int twice(int x) { return 2 * x; }

static int apply(int (*f)(int), int x) { return f(x); }
static int sum(const int v[], int n)
{
    int s = 0;
    while (n-- > 0)
        s += v[n];
    return s;
}
static int first(int (*rows)[4]) { return rows[1][0]; }

int main(void)
{
    int grid[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    void *opaque = grid;
    printf("%d\n", (int)(sizeof(int[3][4]) / sizeof(int)));
    printf("%d\n", (int)(sizeof(char (*)[100]) == sizeof(void *)));
    printf("%d\n", (int)(sizeof(int *[5]) / sizeof(int *)));
    printf("%d\n", (int)(sizeof(int (*(*)[3])(void)) == sizeof(void *)));
    printf("%d\n", ((int(*)[4])opaque)[1][2]);
    printf("%d\n", (*(int(*)[8])opaque)[6]);
    printf("%d\n", apply(twice, 21));
    printf("%d\n", sum(grid[0], 4) + sum(grid[1], 4));
    printf("%d\n", first(grid));
    printf("%d\n", ((int (*)(int))(void (*)(void))twice)(4));
    return 0;
}
