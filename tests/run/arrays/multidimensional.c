#include <stdio.h>
#include <string.h>

static int cube[2][3][4];
static const char names[][6] = {"one", "two", "three", [4] = "five"};

static int corner(int (*plane)[3][4], int i) { return plane[i][2][3]; }
static int row_sum(int row[4]) { return row[0] + row[1] + row[2] + row[3]; }

int main(void)
{
    int n = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                cube[i][j][k] = n++;
    printf("%d %d\n", corner(cube, 0), corner(cube, 1));
    printf("%d\n", row_sum(cube[1][1]));
    printf("%d %d\n", *(*(*(cube + 1) + 2) + 3), (**cube)[3]);
    int (*plane)[4] = cube[1];
    printf("%d %d\n", plane[1][1], (int)(&plane[2][0] - &plane[0][0]));
    int *flat = &cube[0][0][0];
    int (*whole)[2][3][4] = &cube;
    printf("%d %d\n", flat[3], (*whole)[1][0][2]);
    printf("%d\n", (int)(sizeof names / sizeof names[0]));
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        printf("[%s]%d ", names[i], (int)strlen(names[i]));
    putchar('\n');
    int copy[2][3][4];
    memcpy(copy, cube, sizeof copy);
    memset(copy[0], 0, sizeof copy[0]);
    printf("%d %d\n", copy[0][2][3], copy[1][2][3]);
    int partial[3][3] = {{1}, {2, 3}};
    int flatinit[2][2] = {1, 2, 3};
    printf("%d %d %d %d\n", partial[1][1], partial[2][2], flatinit[1][0], flatinit[1][1]);
    return 0;
}
