#include <stdio.h>
#include <string.h>

enum { H = 8, W = 10 };
typedef unsigned char world[H][W];

static int neighbours(world w, int y, int x)
{
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dy || dx)
                n += w[(y + dy + H) % H][(x + dx + W) % W];
    return n;
}
static void step(world w)
{
    world next;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int n = neighbours(w, y, x);
            next[y][x] = n == 3 || (n == 2 && w[y][x]);
        }
    memcpy(w, next, sizeof next);
}

int main(void)
{
    world w = {{0, 1}, {0, 0, 1}, {1, 1, 1}, [6] = {[5 ... 7] = 1}};
    for (int t = 0; t < 9; t++) {
        if (t % 4 == 0)
            for (int y = 0; y < H; y++, putchar('\n'))
                for (int x = 0; x < W; x++)
                    putchar(w[y][x] ? '#' : '.');
        step(w);
    }
    return 0;
}
