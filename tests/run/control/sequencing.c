#include <stdio.h>

/* Orders of evaluation that the language fixes: && || ?: , and full expressions. */
static int trace[32], count;
static int t(int id, int result)
{
    trace[count++] = id;
    return result;
}
static void show(void)
{
    for (int i = 0; i < count; i++)
        printf("%d ", trace[i]);
    putchar('\n');
    count = 0;
}

int main(void)
{
    int r = t(1, 0) && t(2, 1);
    show();
    r = t(1, 1) && t(2, 5);
    printf("%d ", r);
    show();
    r = t(1, 1) || t(2, 1);
    show();
    r = t(1, 0) || t(2, 0) || t(3, 9) || t(4, 1);
    printf("%d ", r);
    show();
    r = t(1, 1) ? t(2, 20) : t(3, 30);
    printf("%d ", r);
    show();
    r = (t(1, 0), t(2, 7), t(3, 8));
    printf("%d ", r);
    show();
    r = t(1, 0) || t(2, 1) && t(3, 0);
    printf("%d ", r);
    show();
    r = (t(1, 0) ? t(2, 0) : t(3, 1)) ? t(4, 1) ? t(5, 50) : 0 : t(6, 0);
    printf("%d ", r);
    show();
    if (t(1, 1) && (t(2, 0) || t(3, 3)) && !t(4, 0))
        show();
    for (t(1, 0); count < 9 && t(2, 1); t(3, 0))
        t(4, 0);
    show();
    int i = 0, a[4] = {0};
    a[i++] = 5;
    a[i] = i;
    i = i + 1, a[i] = a[i - 1] + a[0];
    printf("%d %d %d %d\n", i, a[0], a[1], a[2]);
    int x = 3, y = (x++, x * 2), *p = 0;
    printf("%d %d %d\n", x, y, p && *p);
    printf("%d\n", sizeof(t(9, 9)) && count == 0);
    return 0;
}
