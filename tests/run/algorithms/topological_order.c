#include <stdio.h>
#include <string.h>

static const char *const rules[] = {"shirt tie", "tie jacket", "trousers shoes", "trousers belt", "belt jacket", "socks shoes"};
static char names[16][12];
static unsigned after[16];
static int total;

static int id(const char *s, int n)
{
    for (int i = 0; i < total; i++)
        if (!strncmp(names[i], s, n) && !names[i][n])
            return i;
    memcpy(names[total], s, n);
    return total++;
}
static int visit(int v, unsigned *open, unsigned *done, int *order, int at)
{
    if (*done >> v & 1)
        return at;
    if (*open >> v & 1)
        return -1;
    *open |= 1u << v;
    for (int w = 0; w < total; w++)
        if (after[v] >> w & 1)
            if ((at = visit(w, open, done, order, at)) < 0)
                return -1;
    *done |= 1u << v;
    order[--at] = v;
    return at;
}
static int sort(int *order)
{
    unsigned open = 0, done = 0;
    int at = total;
    for (int v = 0; v < total && at >= 0; v++)
        at = visit(v, &open, &done, order, at);
    return at;
}

int main(void)
{
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
        const char *space = strchr(rules[i], ' ');
        int a = id(rules[i], (int)(space - rules[i])), b = id(space + 1, (int)strlen(space + 1));
        after[a] |= 1u << b;
    }
    int order[16];
    printf("%d\n", sort(order));
    for (int i = 0; i < total; i++)
        printf("%s ", names[order[i]]);
    putchar('\n');
    after[id("jacket", 6)] |= 1u << id("shirt", 5);
    printf("%d\n", sort(order));
    return total;
}
