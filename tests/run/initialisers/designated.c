#include <stdio.h>

struct config {
    const char *name;
    struct { int low, high; } range[3];
    union { int i; float f; } value;
    unsigned flags;
};

static struct config c = {
    .flags = 7,
    .name = "main",
    .range[1].high = 20,
    .range[2] = {.low = 1, 2},
    .range[0].low = -1,
    .value.f = 2.5f,
};

static int sparse[] = {[5] = 50, 60, [1] = 10, 20, [8] = 80};
static int ranges[12] = {[0 ... 3] = 1, [4 ... 7] = 2, [6] = 9, [10 ... 11] = 3};
static int overridden[3] = {1, 2, 3, [0] = 10, [1] = 20};
static struct config table[] = {
    [2] = {.name = "two", .range = {[1] = {5, 6}}},
    [0].name = "zero", [0].value.i = 4,
};
static struct { int a; int b[2][2]; } deep = {.b[1][0] = 3, .b[0] = {1, 2}, .a = 4};

int main(void)
{
    printf("%s %u %g\n", c.name, c.flags, c.value.f);
    for (int i = 0; i < 3; i++)
        printf("%d..%d ", c.range[i].low, c.range[i].high);
    putchar('\n');
    printf("%d:", (int)(sizeof sparse / sizeof *sparse));
    for (unsigned i = 0; i < sizeof sparse / sizeof *sparse; i++)
        printf(" %d", sparse[i]);
    putchar('\n');
    for (int i = 0; i < 12; i++)
        printf("%d", ranges[i]);
    putchar('\n');
    printf("%d %d %d\n", overridden[0], overridden[1], overridden[2]);
    printf("%s %d %s %d\n", table[0].name, table[0].value.i, table[2].name, table[2].range[1].high);
    printf("%d %d\n", table[1].name == 0, (int)(sizeof table / sizeof *table));
    printf("%d %d %d %d %d\n", deep.a, deep.b[0][0], deep.b[0][1], deep.b[1][0], deep.b[1][1]);
    struct config local = {"local", {{1, 2}, [2].high = 3}, {4}, .flags = 5};
    printf("%s %d %d %d %u\n", local.name, local.range[0].high, local.range[2].high, local.value.i, local.flags);
    return 0;
}
