#include <stdio.h>
#include <stdlib.h>

static char *held;

static void first(void) { printf("first registered, last run\n"); free(held); }
static void second(void) { printf("second\n"); }
static void third(void) { printf("third registered, first run\n"); }

static void search(int *grid, int at, int left)
{
    if (left == 0) {
        printf("found at %d\n", at);
        exit(at % 256);
    }
    for (int i = 0; i < 5; i++)
        if (grid[(at + i) % 5] <= left)
            search(grid, (at + i + 1) % 5, left - grid[(at + i) % 5]);
}

int main(void)
{
    int grid[5] = {7, 3, 9, 4, 5};
    held = malloc(10);
    atexit(first);
    atexit(second);
    atexit(third);
    search(grid, 0, 23);
    printf("not reached\n");
    return 0;
}
