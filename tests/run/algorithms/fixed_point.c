#include <stdint.h>
#include <stdio.h>

typedef int32_t fix;                    /* 16.16 */
#define ONE (1 << 16)
#define FIX(x) ((fix)((x) * ONE))

static fix mul(fix a, fix b) { return (fix)((int64_t)a * b >> 16); }
static fix divide(fix a, fix b) { return (fix)(((int64_t)a * ONE) / b); }
static fix root(fix x)
{
    fix r = x > ONE ? x / 2 : ONE;
    for (int i = 0; i < 20; i++)
        r = (r + divide(x, r)) / 2;
    return r;
}
static void print(fix x)
{
    printf("%s%d.%04d\n", x < 0 ? "-" : "", (x < 0 ? -x : x) >> 16, (int)((int64_t)((x < 0 ? -x : x) & 0xffff) * 10000 >> 16));
}
static int mandelbrot(fix cx, fix cy)
{
    fix x = 0, y = 0;
    int n = 0;
    for (; n < 30; n++) {
        fix xx = mul(x, x), yy = mul(y, y);
        if (xx + yy > 4 * ONE)
            break;
        y = 2 * mul(x, y) + cy;
        x = xx - yy + cx;
    }
    return n;
}

int main(void)
{
    print(mul(FIX(1.5), FIX(-2.25)));
    print(divide(FIX(1), FIX(3)));
    print(root(FIX(2)));
    print(root(FIX(144)));
    for (int row = -4; row <= 4; row++) {
        for (int column = -20; column < 8; column++)
            putchar(" .:-=+*#%@"[mandelbrot(column * ONE / 10, row * ONE / 4) * 9 / 30]);
        putchar('\n');
    }
    return 0;
}
