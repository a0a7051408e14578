#include <stdio.h>

/* Generators resumed through a switch that jumps into the middle of loops. */
struct generator { int line, i, j; };
#define BEGIN(g) switch ((g)->line) { case 0:
#define YIELD(g, v) do { (g)->line = __LINE__; return (v); case __LINE__:; } while (0)
#define FINISH(g) } (g)->line = -1; return -1

static int pairs(struct generator *g, int n)
{
    BEGIN(g);
    for (g->i = 0; g->i < n; g->i++)
        for (g->j = g->i + 1; g->j < n; g->j++)
            YIELD(g, g->i * 10 + g->j);
    FINISH(g);
}
static int countdown(struct generator *g, int from)
{
    BEGIN(g);
    g->i = from;
    while (g->i > 0) {
        YIELD(g, g->i);
        if (g->i == 3)
            YIELD(g, 333);
        g->i--;
    }
    FINISH(g);
}

int main(void)
{
    struct generator p = {0}, c = {0};
    for (int a, b;;) {
        a = pairs(&p, 4);
        b = countdown(&c, 5);
        printf("%d %d\n", a, b);
        if (a < 0 && b < 0)
            break;
        if (a < 0)
            p.line = -1;
    }
    return p.line == -1 && c.line == -1 ? 0 : 1;
}
