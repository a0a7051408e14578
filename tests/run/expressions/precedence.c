#include <stdio.h>

int main(void)
{
    int a = 12, b = 5, c = 3;
    int v[] = {10, 20, 30}, *p = v;
    printf("%d %d\n", a + b * c, (a + b) * c);
    printf("%d %d\n", a - b - c, a - (b - c));
    printf("%d %d\n", a << 1 + 1, (a << 1) + 1);
    printf("%d %d\n", a & b == 5, (a & b) == 4);
    printf("%d\n", a | b ^ c & 6);
    printf("%d %d\n", !a == 0, !(a == 0));
    printf("%d\n", -a % b);
    printf("%d\n", ~a + 1 == -a);
    printf("%d\n", a > b > c);
    printf("%d\n", a / b * b + a % b == a);
    printf("%d\n", 1 || 0 && 0);
    printf("%d\n", a = b = c);
    printf("%d %d\n", a, b);
    printf("%d\n", *p++ + 1);
    printf("%d\n", ++*p);
    printf("%d\n", *++p);
    printf("%d\n", -*p);
    printf("%d\n", &v[2] - p == 0);
    printf("%d\n", (int)sizeof v / (int)sizeof *v);
    printf("%d\n", (int)sizeof(char) + 1);
    printf("%d\n", a ? b : c ? 1 : 2);
    printf("%d\n", (char)65 + 1);
    printf("%d\n", -1 < 0 == 1);
    printf("%d\n", 6 & 3 | 8 ^ 12);
    printf("%d\n", 100 / 10 / 5 * 2 % 3);
    printf("%d\n", !!a + !b);
    printf("%d\n", 2[v] - *v);
    return 0;
}
