#include <stdio.h>

typedef const char *string;
typedef char *const fixed;
typedef volatile struct reg { int value; } reg;
typedef int grid[2][3], (*chooser)(const grid, int), handler(int);
typedef struct self { struct self *me; } self;
typedef unsigned word, *word_pointer, words[4];
typedef enum { OFF, ON } toggle;
typedef union { word w; unsigned char b[4]; } view;

static int pick(const grid g, int i) { return g[i / 3][i % 3]; }
static handler doubled, *current = doubled;
static int doubled(int x) { return x * 2; }

int main(void)
{
    string names[] = {"a", "bc"};
    names[0] = names[1];
    char text[] = "fixed";
    fixed f = text;
    f[0] = 'F';
    reg r = {3};
    r.value *= 2;
    grid g = {{1, 2, 3}, {4, 5, 6}};
    chooser c = pick;
    self s = {&s};
    words w = {1, 2};
    word_pointer p = w;
    toggle t = ON;
    view v = {0x01020304};
    printf("%s %s %d\n", names[0], f, r.value);
    printf("%d %d\n", c(g, 4), current(21));
    printf("%d %u %u\n", s.me->me->me == &s, p[1], w[3]);
    printf("%d %d\n", t, v.b[3]);
    const words constant = {7, 8};
    printf("%u\n", constant[0] + constant[1]);
    return 0;
}
