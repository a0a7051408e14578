#include <stdio.h>

int main(void)
{
    int i, n = 0;
    for (i = 0; i < 5; i++)
        if (i == 2)
            continue;
        else
            n += i;
    printf("%d %d\n", i, n);
    do {
        n--;
        if (n % 2)
            continue;
        n--;
    } while (n > 0);
    printf("%d\n", n);
    for (int a = 0, b = 10; a < b; a++, b -= 2)
        printf("%d-%d ", a, b);
    putchar('\n');
    for (char c = 'a'; c <= 'e'; ++c)
        putchar(c);
    putchar('\n');
    int k = 3;
    while (k-- > 0)
        printf("%d ", k);
    printf("%d\n", k);
    for (;;) {
        if (++k > 4)
            break;
    }
    printf("%d\n", k);
    for (int x = 0; x < 2; x++) {
        int x = 7;
        x++;
        printf("%d ", x);
    }
    putchar('\n');
    unsigned u = 1;
    while (u)
        u <<= 1;
    printf("%u\n", u);
    int outer = 0;
    for (int p = 2; p < 40; p++) {
        int prime = 1;
        for (int d = 2; prime && d * d <= p; d++)
            prime = p % d != 0;
        outer += prime ? p : 0;
    }
    printf("%d\n", outer);
    do printf("once\n"); while (0);
    while (1) { while (1) break; break; }
    if (n) ; else if (k) printf("else if\n"); else printf("else\n");
    return 0;
}
