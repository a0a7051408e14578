#include <stdio.h>

struct s { int a; };
static int grade(int n) { return n >= 90 ? 'A' : n >= 80 ? 'B' : n >= 70 ? 'C' : 'F'; }
static void hello(void) { printf("hello "); }
static void bye(void) { printf("bye "); }

int main(void)
{
    for (int n = 65; n < 100; n += 10)
        putchar(grade(n));
    putchar('\n');
    int flag = 1, a = 1, b = 2;
    *(flag ? &a : &b) = 10;
    printf("%d %d\n", a, b);
    struct s x = {3}, y = {4};
    printf("%d\n", (flag ? x : y).a);
    (flag ? hello : bye)();
    (!flag ? hello() : bye());
    putchar('\n');
    const char *text = flag ? "yes" : NULL;
    printf("%s\n", text);
    void *v = flag ? (void *)&a : 0;
    printf("%d\n", *(int *)v);
    printf("%d\n", (flag ? -1 : 1u) > 0);
    printf("%d\n", (int)sizeof(flag ? (char)1 : (short)2) == (int)sizeof(int));
    int n = 5;
    n = n > 3 ? n < 10 ? 1 : 2 : 3;
    printf("%d\n", n);
    int z = flag ? a = 7, a + 1 : 0;
    printf("%d %d\n", z, a);
    printf("%g\n", flag ? 1 : 0.5);
    printf("%d\n", !flag ? 1 : flag ? 2 : 3);
    printf("%d %d %d\n", !!5, !0, !"text");
    printf("%d %d\n", 3 < 2 < 1, 5 > 4 > 3);
    printf("%d\n", 1 == 1 == 1 != 0);
    printf("%d\n", (a & b) == 0 ^ 1);
    return 0;
}
