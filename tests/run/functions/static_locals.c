#include <stdio.h>

static int counter(void)
{
    static int n = 10;
    return n++;
}
static int *shared(void)
{
    static int cells[3] = {1, 2, 3};
    return cells;
}
static int depth_seen(int n)
{
    static int deepest;
    if (n > deepest)
        deepest = n;
    if (n < 5)
        depth_seen(n + 1);
    return deepest;
}
static int two_scopes(int which)
{
    if (which) {
        static int x = 100;
        return ++x;
    } else {
        static int x = 200;
        return --x;
    }
}
static unsigned generator(void)
{
    static unsigned state = 1;
    state = state * 1103515245u + 12345u;
    return state >> 16 & 0x7fff;
}
static const char *name(int n)
{
    static const char *const names[] = {"zero", "one", "two"};
    static char buffer[16];
    if (n < 3)
        return names[n];
    sprintf(buffer, "many(%d)", n);
    return buffer;
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        printf("%d ", counter());
    shared()[1] += 40;
    *shared() = 7;
    printf("%d %d\n", shared()[0], shared()[1]);
    printf("%d\n", depth_seen(0));
    for (int i = 0; i < 4; i++)
        printf("%d ", two_scopes(i & 1));
    putchar('\n');
    for (int i = 0; i < 4; i++)
        printf("%u ", generator());
    putchar('\n');
    printf("%s ", name(1));
    printf("%s ", name(9));
    printf("%s\n", name(12));
    return 0;
}
